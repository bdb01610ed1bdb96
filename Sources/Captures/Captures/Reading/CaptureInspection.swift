package import DepthGeometry
import Platform
package import Imaging
import RobustStatistics

/// The content of a capture in numbers, and what looks wrong with it.
///
/// Depth usually fails silently: a wrong unit gives a plausible image of the wrong size. So the command prints what it read,
/// and these checks report what a person would notice.
package struct CaptureInspection: Equatable, Sendable {
    /// Something that looks wrong. The capture can still be flattened.
    package struct Finding: Equatable, Sendable, CustomStringConvertible {
        /// The kind of a finding; new kinds may come with any minor version.
        package struct Code: RawRepresentable, Hashable, Sendable {
            /// A short stable name in lower camel case.
            package let rawValue: String

            /// Creates a code from its name.
            package init(rawValue: String) { self.rawValue = rawValue }

            /// Depth is too far or too near for a sheet.
            package static let depthUnit = Code(rawValue: "depthUnit")
            /// Few pixels have a reading.
            package static let fewReadings = Code(rawValue: "fewReadings")
            /// All readings are the same number.
            package static let constantDepth = Code(rawValue: "constantDepth")
            /// There is a depth file, but it was not used.
            package static let depthRefused = Code(rawValue: "depthRefused")
            /// The angle of view is implausible for phones and depth cameras.
            package static let fieldOfView = Code(rawValue: "fieldOfView")
            /// Pixels are far from square.
            package static let focalRatio = Code(rawValue: "focalRatio")
            /// The principal point is far from the middle.
            package static let principalPoint = Code(rawValue: "principalPoint")
            /// Intrinsics and EXIF disagree.
            package static let exifDisagrees = Code(rawValue: "exifDisagrees")
            /// The confidence map removed most readings.
            package static let lowConfidence = Code(rawValue: "lowConfidence")
            /// The image has too few pixels for text.
            package static let smallPicture = Code(rawValue: "smallPicture")
        }

        /// The kind of finding.
        package var code: Code
        /// What was noticed, in one sentence without a full stop.
        package var message: String
        /// What may help, in one sentence without a full stop.
        package var advice: String?

        /// "message. advice"
        package var description: String { message + (advice.map { ". " + $0 } ?? "") }
    }

    /// Depth in numbers.
    package struct Depth: Equatable, Sendable {
        /// The map's size, upright.
        package var size: PixelSize
        /// Whether the numbers are metres.
        package var scale: DepthMap.Scale
        /// The share of pixels with a reading, 0 to 1.
        package var validFraction: Double
        /// Least distance, in metres (or unknown units).
        package var minimum: Double
        /// The 5th, 50th and 95th percentile of distance.
        package var percentiles: SIMD3<Double>
        /// Greatest distance.
        package var maximum: Double
    }

    /// The picture's size, upright.
    package var imageSize: PixelSize
    /// Depth in numbers; nil without depth.
    package var depth: Depth?
    /// The camera's full angle of view along the longer side, in degrees; nil without intrinsics.
    package var fieldOfViewDegrees: Double?
    /// What looks wrong, the most serious first.
    package var findings: [Finding]

    /// The share of readings that the confidence map may remove without a warning; beyond it, little depth is left.
    private static let greatestDroppedShare = 0.7
    /// The longer side, in pixels, below which small print cannot be read: a receipt of 40 columns needs some 10 pixels per
    /// character.
    private static let leastLongerSide = 400
    /// The range of median distances, in metres, from which receipts are photographed: outside it, the stated unit of depth
    /// is wrong.
    private static let medians = 0.02...20.0
    /// The share of a depth map's pixels with readings, below which readings are few.
    private static let leastValidFraction = 0.3
    /// The full angles of view along the longer side, in degrees, of phones and depth cameras.
    private static let anglesOfView = 30.0...120.0
    /// The ratios fx / fy of square pixels, within calibration error.
    private static let focalRatios = 0.9...1.1
    /// The greatest distance of an uncropped image's principal point from the middle, as a share of the side.
    private static let greatestOffset = 0.15
    /// The ratio of the intrinsics' focal length to EXIF's, which is rounded to millimetres and ignores the crop of
    /// stabilisation: 5 % off is common, 20 % is another lens.
    private static let focalLengthQuotients = 0.8...1.25

    /// Examines a capture. O(pixels of the depth map), with one sorted copy of at most 65,536 readings.
    package init(of capture: Capture) {
        imageSize = capture.image.size
        findings = []
        if let refusal = capture.depthRefusal {
            findings.append(
                Finding(code: .depthRefused, message: "the depth file is not used: \(refusal)", advice: nil))
        }
        if let map = capture.depth {
            let depth = Self.measure(map)
            self.depth = depth
            examine(depth, of: capture.metadata)
        }
        if let share = capture.metadata.shareDroppedByConfidence, share > Self.greatestDroppedShare {
            note(
                .lowConfidence, "the confidence map takes away \(Self.percent(share)) of the readings",
                "Move closer, or keep readings of low confidence")
        }
        if let intrinsics = capture.intrinsics {
            fieldOfViewDegrees = intrinsics.fieldOfView * 180 / .pi
            examine(intrinsics, origin: capture.metadata.intrinsicsOrigin, capture: capture)
        }
        if max(imageSize.width, imageSize.height) < Self.leastLongerSide {
            note(
                .smallPicture, "the picture has only \(imageSize) pixels: small print cannot be read", nil)
        }
    }

    private mutating func note(_ code: Finding.Code, _ message: String, _ advice: String?) {
        findings.append(Finding(code: code, message: message, advice: advice))
    }

    /// Measures depth; NaN for a map without any reading.
    static func measure(_ map: DepthMap) -> Depth {
        var minimum = Float.infinity
        var maximum = -Float.infinity
        var count = 0
        for value in map.values.elements where !value.isNaN {
            minimum = min(minimum, value)
            maximum = max(maximum, value)
            count += 1
        }
        // Takes every n-th valid reading: percentiles need no more.
        let step = max(count / 65_536, 1)
        var sample: [Float] = []
        sample.reserveCapacity(count / step + 1)
        var index = 0
        for value in map.values.elements where !value.isNaN {
            if index.isMultiple(of: step) { sample.append(value) }
            index += 1
        }
        func percentile(_ share: Double) -> Double {
            sample.isEmpty
                ? .nan : Double(sample.selectRank(Int((share * Double(sample.count - 1)).rounded())))
        }
        return Depth(
            size: map.size, scale: map.scale, validFraction: map.validFraction,
            minimum: count > 0 ? Double(minimum) : .nan,
            percentiles: SIMD3(percentile(0.05), percentile(0.5), percentile(0.95)),
            maximum: count > 0 ? Double(maximum) : .nan)
    }

    private mutating func examine(_ depth: Depth, of metadata: Capture.Metadata) {
        let median = depth.percentiles.y
        let rawUnit = metadata.depthForm
        // An assumed unit has a warning of its own.
        if depth.scale == .metric, metadata.assumedDepthUnit == nil {
            if median > Self.medians.upperBound {
                note(
                    .depthUnit,
                    "half of the readings lie beyond \(Self.meters(median)): the unit looks wrong",
                    "Try a thousandth of the unit used (--depth-unit; now \(rawUnit ?? "unknown"))")
            } else if median < Self.medians.lowerBound {
                note(
                    .depthUnit,
                    "half of the readings lie within \(Self.meters(median)): the unit looks wrong",
                    "Try a thousand times the unit used (--depth-unit; now \(rawUnit ?? "unknown"))")
            }
        }
        if depth.minimum == depth.maximum {
            note(.constantDepth, "all readings are equal: this is not measured depth", nil)
        }
        if depth.validFraction < Self.leastValidFraction {
            note(
                .fewReadings, "only \(Self.percent(depth.validFraction)) of the depth map has readings",
                "Glossy or dark surfaces, and distances below the sensor's least, give none")
        }
    }

    private mutating func examine(
        _ intrinsics: CameraIntrinsics, origin: Capture.IntrinsicsOrigin, capture: Capture
    ) {
        let width = Double(intrinsics.imageSize.width)
        let height = Double(intrinsics.imageSize.height)
        let degrees = intrinsics.fieldOfView * 180 / .pi
        if degrees < Self.anglesOfView.lowerBound || degrees > Self.anglesOfView.upperBound {
            note(
                .fieldOfView,
                "the focal length means \(Self.rounded(degrees, 1)) degrees of view; cameras have 30 to 120",
                "Intrinsics for another picture size? Focal length in millimetres?")
        }
        let ratio = intrinsics.fx / intrinsics.fy
        if ratio < Self.focalRatios.lowerBound || ratio > Self.focalRatios.upperBound {
            note(
                .focalRatio,
                "fx and fy differ by a factor of \(Self.rounded(ratio, 3)); pixels are nearly square",
                "Was the picture stretched, or were values exchanged?")
        }
        let offset = max(
            abs((intrinsics.cx + 0.5) / width - 0.5), abs((intrinsics.cy + 0.5) / height - 0.5))
        if offset > Self.greatestOffset {
            note(
                .principalPoint,
                "the principal point is \(Self.percent(offset)) of the picture off its middle",
                "Intrinsics of an uncropped, another or a differently turned picture?")
        }
        if case .exifFocalLength = origin { return }
        let upright = capture.image.size
        if let millimeters = capture.metadata.focalLengthIn35mmFilm,
            let expected = CameraIntrinsics(focalLengthIn35mmFilm: millimeters, imageSize: upright)
        {
            let quotient = (intrinsics.fx * intrinsics.fy).squareRoot() / expected.fx
            if quotient < Self.focalLengthQuotients.lowerBound
                || quotient > Self.focalLengthQuotients.upperBound
            {
                note(
                    .exifDisagrees,
                    "the intrinsics' focal length is \(Self.rounded(quotient, 2)) times what EXIF's "
                        + "\(Self.rounded(millimeters, 1)) mm say",
                    "Intrinsics of another lens or picture size?")
            }
        }
    }

    private static func rounded(_ value: Double, _ digits: Int) -> String {
        NumberText.fixed(value, digits)
    }

    private static func percent(_ share: Double) -> String { rounded(share * 100, 0) + " %" }

    private static func meters(_ value: Double) -> String {
        value < 0.1
            ? NumberText.significant(value * 1000, 3) + " mm" : NumberText.significant(value, 3) + " m"
    }
}
