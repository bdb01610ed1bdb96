package import Diagnostics
package import Imaging
import LocalFiles
import RuntimeLibraries

/// Finds upright and turned faces with OpenCV's cascade of frontal faces, which is read at run time.
package struct FaceDetector: Sendable {
    private let cascade: HaarCascade

    /// Where opencv-data lies.
    package static let paths = [
        "/usr/share/opencv4/haarcascades/haarcascade_frontalface_alt2.xml",
        "/usr/local/share/opencv4/haarcascades/haarcascade_frontalface_alt2.xml",
        "/opt/homebrew/share/opencv4/haarcascades/haarcascade_frontalface_alt2.xml",
    ]

    private static let loaded = LoadedOnce<HaarCascade, FlatteningError>(lasts: { $0.code != .shortage }) {
        () throws(FlatteningError) in try cascade(at: paths)
    }

    /// A detector; the first one reads the cascade.
    /// - Throws: `.missingDependency` without opencv-data, or with a file that is none of its cascades.
    package init() throws(FlatteningError) { cascade = try Self.loaded.get() }

    /// Whether what finds faces is there.
    static var isThere: Bool { (try? FaceDetector()) != nil }

    package init(cascade: HaarCascade) { self.cascade = cascade }

    /// The cascade of the first of these files that is there.
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

    /// The longer side, in pixels, of the picture that is looked at: the portrait of a passport is 200 wide in it where the
    /// page fills the picture.
    static let workingSide = 1000
    /// Pixels of that picture on the side of the smallest face: print and texture look like smaller ones.
    static let smallestFace = 40

    /// Windows that agree on a face, at least. In pictures that were worked on, portraits have 11 to 101; print, codes and hair
    /// look like a face to 6 at most, turned ones most of all.
    static let minimumSupport = 8

    /// The faces in a picture, upright or turned by quarters, from above and from the left, each with `corners` in pixels of
    /// the picture.
    /// - Complexity: O(1): the picture is made smaller first, O(pixels).
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
                // One face in two turns: the surer one.
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

    /// Share of two frames' common area in their joint area from which on they are of one face.
    static let sameFace = 0.2
}

extension HaarCascade.Detection {
    /// The same place in the picture that was turned counterclockwise `turns` times by a quarter to become one of `size`.
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

    /// Common area over joint area.
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
    /// The faces of the flat picture and of the photograph, those on the sheet first. One that is found in both stands once.
    /// - Throws: `.missingDependency`.
    package func faces() throws(FlatteningError) -> [SheetFace] {
        let detector = try FaceDetector()
        return try foundInBoth { picture throws(FlatteningError) in detector.faces(in: picture) }
    }
}

extension SheetFace: FoundInPictures {
    /// Whether the middle of one lies in the other's frame.
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
