/// The unit of resolutions and of printers.
package enum Inch {
    /// Its length in metres, exactly.
    package static let meters = 0.0254
}
