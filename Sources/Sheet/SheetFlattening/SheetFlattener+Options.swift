package import Diagnostics
public import Imaging

extension SheetFlattener {
    /// The choices of a caller. Every field has a default that suits a receipt.
    public struct Options: Sendable {
        /// The surface that is fitted to depth; `.auto` lets the readings decide.
        public var method: SurfaceMethod = .auto
        /// The sheet's four corners, as given by a person or an app, in pixels of the upright photograph (the centre of its
        /// top-left pixel is (0, 0)); nil to find the sheet. They begin at any corner and run around the sheet in either
        /// direction: the text tells which way is up. A corner may lie outside the image by a tenth of its longer side.
        public var corners: [SIMD2<Double>]?
        /// Whether available depth is used.
        public var usesDepth = true
        /// The flat image's resolution, 20 to 2400 dots per inch; nil keeps the best resolution that the photograph provides,
        /// up to `maximumDotsPerInch`. Without a metric scale there are no inches, and the photograph's own density is kept.
        public var dotsPerInch: Double?
        /// The limit of a resolution that was not asked for, 20 to 2400 dots per inch.
        public var maximumDotsPerInch: Double = 600
        /// The margin around the sheet, 0 to 50 millimetres; without a scale, relative to a receipt 80 mm wide. The default
        /// (nil) is 1.5 mm, so that the outline's error never cuts a letter, and no margin where the sheet's own sides become
        /// the image's.
        public var marginMillimeters: Double?
        /// What the flat image shows beyond the sheet's edge, or beside a whole photograph that is turned.
        public var edge = SheetEdge.fill
        /// How the photograph is interpolated.
        public var filter: ResamplingFilter = .bicubic
        /// The light correction of the flat image.
        public var light = LightCorrection.automatic
        /// Most pixels that a flat image may have.
        public var maximumOutputPixels = 64_000_000

        /// The defaults.
        public init() {}

        /// The resolutions that can be asked for, in dots per inch.
        package static let resolutions = 20.0...2400.0
        /// The margins that can be asked for, in millimetres.
        package static let margins = 0.0...50.0

        /// The margin around a sheet, in millimetres.
        package var marginAroundSheet: Double { marginMillimeters ?? 1.5 }
        /// The margin around a rectangle made of the sheet's sides, in millimetres.
        package var marginAroundRectangle: Double { marginMillimeters ?? 0 }

        /// Throws if a field lies outside its range.
        package func validate() throws(FlatteningError) {
            if let dotsPerInch {
                try Self.check(
                    Self.resolutions.contains(dotsPerInch), "dpi", seen: "\(dotsPerInch)",
                    allowed: Self.inWords(Self.resolutions))
            }
            try Self.check(
                Self.resolutions.contains(maximumDotsPerInch), "maximum dpi", seen: "\(maximumDotsPerInch)",
                allowed: Self.inWords(Self.resolutions))
            if let marginMillimeters {
                try Self.check(
                    Self.margins.contains(marginMillimeters), "margin", seen: "\(marginMillimeters) mm",
                    allowed: Self.inWords(Self.margins) + " mm")
            }
            try Self.check(
                maximumOutputPixels > 0, "maximum output pixels", seen: "\(maximumOutputPixels)",
                allowed: "at least 1")
        }

        /// Formats a range between whole numbers for messages.
        private static func inWords(_ range: ClosedRange<Double>) -> String {
            "\(Int(range.lowerBound)) to \(Int(range.upperBound))"
        }

        /// Throws `.badInput` for an option that is not allowed.
        package static func check(
            _ isAllowed: Bool, _ name: String, seen: String, allowed: String
        ) throws(FlatteningError) {
            guard isAllowed else {
                throw FlatteningError(
                    .badInput, "the option \(name) is out of range", stage: .options, seen: seen,
                    allowed: allowed)
            }
        }
    }
}
