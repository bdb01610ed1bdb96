/// One pixel of red, green and blue, 8 bits each, in the image's own (gamma-encoded) values. Three bytes in memory.
@frozen
public struct RGB: Hashable, Sendable {
    /// Red, 0 to 255.
    public var red: UInt8
    /// Green, 0 to 255.
    public var green: UInt8
    /// Blue, 0 to 255.
    public var blue: UInt8

    /// A colour from its three parts.
    @inlinable
    public init(red: UInt8, green: UInt8, blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// White paper.
    public static let white = RGB(red: 255, green: 255, blue: 255)

    /// Brightness by the weights of ITU-R BT.601, 0 to 255, rounded.
    @inlinable package var luma: UInt8 {
        UInt8((UInt32(red) &* 19595 &+ UInt32(green) &* 38470 &+ UInt32(blue) &* 7471 &+ 32768) >> 16)
    }
}

/// A colour image, 8 bits a channel, interleaved.
public typealias RGBImage = Raster<RGB>

/// An image of brightness, 0 (black) to 255 (white).
public typealias GrayImage = Raster<UInt8>

extension Raster where Element == RGB {
    /// The brightness of each pixel (ITU-R BT.601). O(pixels), no intermediate copies.
    public func gray() -> GrayImage {
        map(\.luma)
    }

    /// Calls `body` with the image's bytes: red, green, blue, red, green ...
    public func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try elements.withUnsafeBytes(body)
    }
}
