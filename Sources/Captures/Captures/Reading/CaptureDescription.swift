package import DepthGeometry
import Diagnostics
import ImageFiles
package import Imaging

/// The files of one capture and how to read them: from a folder's `capture.json` or from a command line.
package struct CaptureDescription: Equatable, Sendable {
    /// How to read a depth file's numbers.
    package struct Depth: Equatable, Sendable {
        /// What a number of the file measures.
        package enum Kind: String, Sendable, CaseIterable {
            /// Distance.
            case depth
            /// The reciprocal of distance.
            case disparity
        }

        /// The direction along which distance is measured.
        package enum Projection: String, Sendable, CaseIterable {
            /// The optical axis (z-depth).
            case planar
            /// Each pixel's own ray.
            case radial
        }

        /// The file's path, "-" for standard input.
        package var path: String
        /// The most common unit of whole-number depth, in metres.
        package static let millimeter = 0.001

        /// Size of one unit in metres (1/metres for disparity). Nil if nothing states it; see ``DepthUnit``.
        package var unit: Double?
        /// The usual unit of whole numbers from this source.
        var usualUnit = millimeter
        /// The unit that was assumed when the map was converted to metres; nil if one was stated.
        var assumedUnit: Double?
        /// Whether the map was already converted to metres, whatever its file holds.
        package internal(set) var isInMeters = false
        /// Distance or its reciprocal.
        package var kind = Kind.depth
        /// Whether the unit can be trusted; `.relative` depth gives shape, never size.
        package var accuracy = DepthMap.Scale.metric
        /// Along the optical axis or along each ray.
        package var projection = Projection.planar

        /// Creates a description of a depth file in metres or millimetres along the optical axis.
        package init(path: String, unit: Double? = nil) {
            self.path = path
            self.unit = unit
        }

        /// Checks that a unit in metres is possible for a camera: a nanometre to a kilometre.
        /// - Parameter seen: the file's text, for the error.
        /// - Throws: `.badInput` for any other number, and for nil.
        static func checkedUnit(_ number: Double?, seen: String) throws(FlatteningError) -> Double {
            guard let number, number >= 1e-9, number <= 1000 else {
                throw FlatteningError(
                    .badInput, "the depth unit is not a size in metres", stage: .capture, seen: seen,
                    allowed: "1e-9 ... 1000", advice: "0.001 for millimetres")
            }
            return number
        }
    }

    /// The source of the intrinsics.
    package enum Intrinsics: Equatable, Sendable {
        /// A file in any form that ``IntrinsicsDocument`` knows.
        case file(String)
        /// Stated in a file of the capture, among other data.
        case stated(IntrinsicsDocument, file: String)
        /// Numbers given by the caller.
        case given(IntrinsicsDocument)
    }

    /// The image's path, "-" for standard input.
    package var imagePath: String
    /// The depth file, if any.
    package var depth: Depth?
    /// Whether depth embedded in the image file is used if no depth file is named; an embedded camera is always used.
    package var usesEmbeddedDepth = true
    /// The path of a confidence map of the same size as the depth map, if any.
    package var confidencePath: String?
    /// The camera, if known.
    package var intrinsics: Intrinsics?
    /// The document page that the image is; nil if it is not a page.
    package var page: Capture.Page?
    /// Notes on the description itself.
    package var notes: [String] = []
    /// The source of the files that the paths name.
    package var files = CaptureFiles()
    /// The recording that the capture comes from, its format and frame; nil for an image that was named itself.
    package var source: String?

    /// Creates a description of an image without any other files.
    package init(imagePath: String) { self.imagePath = imagePath }
}
