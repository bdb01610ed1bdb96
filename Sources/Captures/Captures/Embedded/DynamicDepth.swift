import DepthGeometry
import Diagnostics
import ImageFiles
import LocalFiles
import Imaging

/// Depth as Android's cameras store it: images appended after the first, listed in its XMP.
///
/// Dynamic Depth 1.0 (developer.android.com/training/camera2/Dynamic-depth-v1.0.pdf), in the container that Ultra HDR and
/// motion photographs also use (developer.android.com/media/platform/motion-photo-format):
///
/// - `Container:Directory` lists `Container:Item`s in the order of the file, the image itself first. `Item:Length` is the
///   item's number of bytes (0 or missing for the first), `Item:Padding` the number of bytes between it and the next,
///   `Item:Mime` its type. What it shows is given by `Item:Semantic` (`Depth`, `DepthMap`), or by `Item:DataURI`, to which
///   `DepthMap:DepthURI` refers.
/// - `DepthMap:Format`, `Near`, `Far`, `Units`, `MeasureType` (or GDepth's properties of the same names) say what its numbers
///   represent; a map whose `DepthMap:ItemSemantic` is `Segmentation` holds no depth.
/// - `ImagingModel` is the camera. `FocalLengthX`, `FocalLengthY` are in pixels of `ImageWidth` x `ImageHeight`, or, if they
///   are too small for any camera in pixels, in image widths and heights. The principal point is in widths and heights from
///   the image's corner, or in pixels if it is greater than 1; the middle if it is missing.
enum DynamicDepth {
    private static let root = "http://ns.google.com/photos/dd/1.0/"
    private static let depthMap = root + "depthmap/"
    private static let imagingModel = root + "imagingmodel/"
    /// Namespaces of the container and of its items: Dynamic Depth's own, and those shared with Google's other formats.
    private static let containers = [
        (container: root + "container/", item: root + "item/"),
        (
            container: "http://ns.google.com/photos/1.0/container/",
            item: "http://ns.google.com/photos/1.0/container/item/"
        ),
    ]
    private static let stage = FlatteningError.Stage.embeddedDepth
    /// The greatest relative difference of the two focal lengths, given square pixels. If they differ more in the assumed
    /// unit, they are in another unit.
    private static let squareTolerance = 0.02

    /// Returns depth and camera of a JPEG with such a container; nil if it has none, or neither is in it.
    /// - Throws: `.badInput` for a directory that does not fit the file, for an impossible range or image; limits.
    static func inJPEG(
        _ bytes: [UInt8], limits: FlatteningLimits
    ) throws(FlatteningError) -> EmbeddedCapture? {
        let mapElement = root + "camera/DepthMap"
        let packets = XMPPackets(
            ofJPEG: bytes, structures: Set([mapElement] + containers.map { $0.container + "Item" }))
        var found = EmbeddedCapture()
        found.camera = camera(packets)
        let map = packets.structures(mapElement).first {
            $0[depthMap + "ItemSemantic"]?.lowercased() != "segmentation"
        }
        for names in containers {
            let items = packets.structures(names.container + "Item").map { Item($0, namespace: names.item) }
            guard let number = depthItem(among: items, uri: map?[depthMap + "DepthURI"]) else { continue }
            var range: DepthRange?
            if let map {
                range = try DepthRange(name: "Dynamic Depth") { map[depthMap + $0] }
            } else {
                range = try DepthRange(packets, namespace: depthMap, name: "Dynamic Depth")
                if range == nil {
                    range = try DepthRange(packets, namespace: GoogleDepth.namespace, name: "GDepth")
                }
            }
            guard let range else {
                throw FlatteningError(
                    .badInput, "the picture lists a depth map but does not say what its numbers stand for",
                    stage: stage, allowed: "Format, Near and Far of Dynamic Depth or GDepth")
            }
            let place = try place(of: number, among: items, in: bytes)
            found.depth = try range.depth(
                in: InputFile(name: "Dynamic Depth", bytes: Array(bytes[place])), limits: limits)
            return found
        }
        return found.camera == nil ? nil : found
    }

    // MARK: - The container

    private struct Item {
        var semantic: String?
        var uri: String?
        /// Number of bytes; -1 for an invalid number.
        var length: Int
        var padding: Int

        init(_ properties: [String: String], namespace: String) {
            semantic = properties[namespace + "Semantic"]?.lowercased()
            uri = properties[namespace + "DataURI"]
            func bytes(_ name: String) -> Int {
                guard let text = properties[namespace + name] else { return 0 }
                // A limit at which no sum of such numbers can overflow.
                return Int(text).flatMap { (0...(1 << 40)).contains($0) ? $0 : nil } ?? -1
            }
            length = bytes("Length")
            padding = bytes("Padding")
        }
    }

    /// Returns the index of the depth map among the items; nil without one. Never 0, which is the image itself.
    private static func depthItem(among items: [Item], uri: String?) -> Int? {
        let behind = items.indices.dropFirst()
        return uri.flatMap { uri in behind.first { items[$0].uri == uri } }
            ?? behind.first { ["depth", "depthmap"].contains(items[$0].semantic) }
    }

    /// Returns the position of an item. Items follow the end of the first image or, if other data follows it, are placed so
    /// that the last item ends with the file.
    private static func place(
        of number: Int, among items: [Item], in bytes: [UInt8]
    ) throws(FlatteningError) -> Range<Int> {
        func failure(_ seen: String) -> FlatteningError {
            FlatteningError(
                .badInput, "the depth map is not where the picture's directory says", stage: stage,
                seen: seen,
                allowed: "a PNG or JPEG of that length behind the first picture")
        }
        guard items.allSatisfy({ $0.length >= 0 && $0.padding >= 0 }), items[number].length > 0 else {
            throw failure("item \(number) of no length")
        }
        let length = items[number].length
        let offset = items[1..<number].reduce(items[0].padding) { $0 + $1.length + $1.padding }
        let behind =
            items[number...].reduce(0) { $0 + $1.length }
            + items[number...].dropLast().reduce(0) { $0 + $1.padding }
        let ends = [JPEGStructure(bytes, maximumScans: .max).end.map { $0 + offset }, bytes.count - behind]
        for start in ends.compactMap(\.self) where start > 0 && start + length <= bytes.count {
            switch ImageFileFormat.sniff(bytes[start..<start + length]) {
            case .jpeg, .png: return start..<start + length
            default: continue
            }
        }
        throw failure("\(length) bytes as item \(number) of a file of \(bytes.count) bytes")
    }

    // MARK: - The camera

    private static func camera(_ packets: XMPPackets) -> EmbeddedCapture.Camera? {
        func number(_ name: String) -> Double? {
            packets.number(imagingModel, name).flatMap { $0.isFinite ? $0 : nil }
        }
        guard let fx = number("FocalLengthX"), let fy = number("FocalLengthY"),
            let width = number("ImageWidth").flatMap({ Int(exactly: $0) }),
            let height = number("ImageHeight").flatMap({ Int(exactly: $0) }),
            (1...1_048_576).contains(width), (1...1_048_576).contains(height), fx > 0, fy > 0,
            // The camera model has no skew.
            number("Skew") ?? 0 == 0
        else { return nil }
        let size = SIMD2(Double(width), Double(height))
        var focal = SIMD2(fx, fy)
        // A focal length of a hundredth of the image's size would mean a view of 178 degrees.
        if focal.max() < size.max() / 100 {
            focal *= size
            // Pixels are square: focal lengths that then differ are in another, unstated unit.
            guard abs(focal.x / focal.y - 1) < squareTolerance else { return nil }
        }
        var point = SIMD2(number("PrincipalPointX") ?? 0.5, number("PrincipalPointY") ?? 0.5)
        if point.max() <= 1 { point = point * size - 0.5 }
        return .init(focalLength: focal, principalPoint: point, size: PixelSize(width: width, height: height))
    }
}
