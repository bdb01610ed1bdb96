package import DepthGeometry
import Diagnostics
import ImageFiles
package import Imaging

/// What belongs to one capture and how it is to be understood: from a folder's `capture.json` or from a command line.
package struct CaptureDescription: Equatable, Sendable {
    /// How a depth file's numbers are to be read.
    package struct Depth: Equatable, Sendable {
        /// What a number of the file measures.
        package enum Kind: String, Sendable, CaseIterable {
            /// Distance.
            case depth
            /// One over distance.
            case disparity
        }

        /// What the distance is measured along.
        package enum Projection: String, Sendable, CaseIterable {
            /// The optical axis (z-depth).
            case planar
            /// Each pixel's own ray.
            case radial
        }

        /// The file's path, "-" for standard input.
        package var path: String
        /// The unit, in metres, that most depth cameras store whole numbers in.
        package static let millimeter = 0.001

        /// Size of one unit: metres (1/metres for disparity). Nil where nothing states it; see ``DepthUnit``.
        package var unit: Double?
        /// What whole numbers of this origin mostly count.
        var usualUnit = millimeter
        /// The unit that was assumed before the map was brought into metres; nil where one was stated.
        var assumedUnit: Double?
        /// Whether the map was brought into metres, whatever its file holds.
        package internal(set) var isInMeters = false
        /// Distance or its inverse.
        package var kind = Kind.depth
        /// Whether the unit can be trusted; `.relative` gives shape, never size.
        package var accuracy = DepthMap.Scale.metric
        /// Along the axis or along the ray.
        package var projection = Projection.planar

        /// A depth file in metres or millimetres along the axis.
        package init(path: String, unit: Double? = nil) {
            self.path = path
            self.unit = unit
        }

        /// A unit in metres that some camera could have: a nanometre to a kilometre.
        /// - Parameter seen: what the file says, for the error.
        /// - Throws: `.badInput` for any other number, and for none.
        static func checkedUnit(_ number: Double?, seen: String) throws(FlatteningError) -> Double {
            guard let number, number >= 1e-9, number <= 1000 else {
                throw FlatteningError(
                    .badInput, "the depth unit is not a size in metres", stage: .capture, seen: seen,
                    allowed: "1e-9 ... 1000", advice: "0.001 for millimetres")
            }
            return number
        }
    }

    /// Where the intrinsics come from.
    package enum Intrinsics: Equatable, Sendable {
        /// A file of any form that ``IntrinsicsDocument`` knows.
        case file(String)
        /// What a file of the capture states among other things.
        case stated(IntrinsicsDocument, file: String)
        /// Numbers that the caller has.
        case given(IntrinsicsDocument)
    }

    /// The picture's path, "-" for standard input.
    package var imagePath: String
    /// The depth file, if any.
    package var depth: Depth?
    /// Whether depth inside the picture's own file is used where no depth file is named; the camera inside it always is.
    package var usesEmbeddedDepth = true
    /// The path of a confidence map with the depth map's size, if any.
    package var confidencePath: String?
    /// The camera, if known.
    package var intrinsics: Intrinsics?
    /// The page of a document that the picture is; nil for what is none.
    package var page: Capture.Page?
    /// What was noticed in the description itself.
    package var notes: [String] = []
    /// Where the files come from that the paths name.
    package var files = CaptureFiles()
    /// The recording that this comes from, its format and frame; nil for a picture that was named itself.
    package var source: String?

    /// A picture, so far alone.
    package init(imagePath: String) { self.imagePath = imagePath }
}
