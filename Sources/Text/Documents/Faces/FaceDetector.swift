package import Diagnostics
package import Imaging
import LocalFiles
import RuntimeLibraries

/// Finds upright and turned faces with OpenCV's frontal-face cascade, which is read at run time.
package struct FaceDetector: Sendable {
    private let cascade: HaarCascade

    /// Paths where opencv-data is installed.
    package static let paths = [
        "/usr/share/opencv4/haarcascades/haarcascade_frontalface_alt2.xml",
        "/usr/local/share/opencv4/haarcascades/haarcascade_frontalface_alt2.xml",
        "/opt/homebrew/share/opencv4/haarcascades/haarcascade_frontalface_alt2.xml",
    ]

    private static let loaded = LoadedOnce<HaarCascade, FlatteningError>(lasts: { $0.code != .shortage }) {
        () throws(FlatteningError) in try cascade(at: paths)
    }

    /// A detector; the first one reads the cascade.
    /// - Throws: `.missingDependency` if opencv-data is missing, or if the file is not one of its cascades.
    package init() throws(FlatteningError) { cascade = try Self.loaded.get() }

    /// Whether face detection is available.
    static var isThere: Bool { (try? FaceDetector()) != nil }

    package init(cascade: HaarCascade) { self.cascade = cascade }

    /// Loads the cascade from the first of these files that exists.
    static func cascade(at paths: [String]) throws(FlatteningError) -> HaarCascade {
        let advice = "Install it: apt-get install opencv-data, or brew install opencv"
        for path in paths {
            let file: InputFile
            do {
                file = try InputFile.read(path: path, kind: .metadata)
            } catch {
                guard error.code == .fileAccess else { throw error }
                continue
            }
            guard let cascade = HaarCascade(xml: file.bytes) else {
                throw FlatteningError(
                    .missingDependency, "this is no cascade that faces are found with", file: path,
                    stage: .finding,
                    advice: advice)
            }
            return cascade
        }
        throw FlatteningError(
            .missingDependency, "the data of OpenCV that faces are found with is not there", stage: .finding,
            detail: "looked for \(paths.joined(separator: ", "))", advice: advice)
    }

    /// Longer side, in pixels, of the image that is searched: in it, a passport's portrait is 200 wide if the page fills the
    /// image.
    static let workingSide = 1000
    /// Side, in pixels of that image, of the smallest face; print and texture look like smaller ones.
    static let smallestFace = 40

    /// Minimum number of windows that agree on a face. In the images used for tuning, portraits have 11 to 101; print, codes and
    /// hair reach at most 6, most of all when turned.
    static let minimumSupport = 8

    /// Finds the faces in an image, upright or turned by quarters, sorted from top to bottom and left to right, each with
    /// `corners` in pixels of the image.
    /// - Complexity: O(1) after the image is reduced, which is O(pixels).
    package func faces(in picture: GrayImage) -> [SheetFace] {
        var (small, shrinking) = (picture, 1.0)
        while max(small.width, small.height) >= 2 * Self.workingSide {
            small = small.halved()
            shrinking *= 2
        }
        let longer = max(small.width, small.height)
        if longer > Self.workingSide {
            let scale = Double(Self.workingSide) / Double(longer)
            let size = PixelSize(
                width: max(Int((Double(small.width) * scale).rounded()), 1),
                height: max(Int((Double(small.height) * scale).rounded()), 1))
            shrinking *= Double(longer) / Double(Self.workingSide)
            small = small.shrunkExactly(to: size)
        }
        var found: [(detection: HaarCascade.Detection, face: SheetFace)] = []
        var turned = small
        for turns in 0..<4 {
            if turns > 0 { turned = turned.turnedCounterclockwise() }
            for detection in cascade.detections(in: turned, smallest: Self.smallestFace)
            where detection.support >= Self.minimumSupport {
                let upright = detection.turnedClockwise(turns, in: turned.size)
                let face = SheetFace(
                    corners: upright.corners.map { ($0 + 0.5) * shrinking - 0.5 }, photographCorners: nil,
                    quarterTurns: turns, support: detection.support)
                // A face found in two turns is kept once, with the larger support.
                if let index = found.firstIndex(where: { $0.detection.overlap(with: upright) > Self.sameFace }
                ) {
                    if found[index].face.support < face.support { found[index] = (upright, face) }
                } else {
                    found.append((upright, face))
                }
            }
        }
        return found.sorted { ($0.detection.top, $0.detection.left) < ($1.detection.top, $1.detection.left) }
            .map(\.face)
    }

    /// Intersection over union above which two frames are of one face.
    static let sameFace = 0.2
}

extension HaarCascade.Detection {
    /// Returns the same place in the image before it was turned counterclockwise `turns` times by a quarter; `size` is the size
    /// after turning.
    func turnedClockwise(_ turns: Int, in size: PixelSize) -> Self {
        var (place, size) = (self, size)
        for _ in 0..<turns {
            // A pixel (x, y) goes to (height - 1 - y, x).
            place = Self(
                left: size.height - place.top - place.height, top: place.left, width: place.height,
                height: place.width,
                support: support)
            size = PixelSize(width: size.height, height: size.width)
        }
        return place
    }

    var corners: [SIMD2<Double>] {
        Box(left: Double(left), top: Double(top), right: Double(left + width), bottom: Double(top + height))
            .corners
    }

    /// Intersection over union.
    func overlap(with other: Self) -> Double {
        let width = min(left + self.width, other.left + other.width) - max(left, other.left)
        let height = min(top + self.height, other.top + other.height) - max(top, other.top)
        guard width > 0, height > 0 else { return 0 }
        let common = width * height
        return Double(common) / Double(self.width * self.height + other.width * other.height - common)
    }
}

extension Raster where Element == UInt8 {
    /// Turned counterclockwise by a quarter: the right edge becomes the top one.
    fileprivate func turnedCounterclockwise() -> GrayImage {
        GrayImage(width: height, height: width) { output in
            for y in 0..<width {
                for x in 0..<height {
                    output.initializeElement(at: y * height + x, to: elements[x * width + width - 1 - y])
                }
            }
        }
    }
}

extension SheetView {
    /// Finds the faces in the flat image and in the photograph; those on the sheet come first. A face found in both appears
    /// once.
    /// - Throws: `.missingDependency`.
    package func faces() throws(FlatteningError) -> [SheetFace] {
        let detector = try FaceDetector()
        return try foundInBoth { picture throws(FlatteningError) in detector.faces(in: picture) }
    }
}

extension SheetFace: FoundInPictures {
    /// Whether the centre of either face lies in the other's frame.
    func isSame(as other: SheetFace) -> Bool {
        guard let one = photographCorners, let two = other.photographCorners else { return false }
        let (a, b) = (Box(around: one), Box(around: two))
        return a.holdsMiddle(of: b) || b.holdsMiddle(of: a)
    }
}

extension Box {
    fileprivate func holdsMiddle(of other: Box) -> Bool {
        (left...right).contains(other.centerX) && (top...bottom).contains(other.centerY)
    }
}
