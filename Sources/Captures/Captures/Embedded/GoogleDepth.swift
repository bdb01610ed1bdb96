import Diagnostics
import ImageFiles
import LocalFiles
import Platform
import Imaging

/// Depth as Google's GDepth stores it: a grey PNG or JPEG in base64 inside the XMP.
///
/// Depth Map Metadata 1.0 (developers.google.com/depthmap-metadata). See ``DepthRange`` for the meaning of the numbers.
enum GoogleDepth {
    static let namespace = "http://ns.google.com/photos/1.0/depthmap/"

    /// Returns the depth in a JPEG's XMP; nil if there is none.
    /// - Throws: `.badInput` for an impossible range or image, `.unsupported` for other formats, limits.
    static func inJPEG(
        _ bytes: [UInt8], limits: FlatteningLimits
    ) throws(FlatteningError) -> EmbeddedCapture? {
        let packets = XMPPackets(ofJPEG: bytes)
        guard packets.value(namespace, "Format") != nil, let data = packets.value(namespace, "Data") else {
            return nil
        }
        guard let range = try DepthRange(packets, namespace: namespace, name: "GDepth") else { return nil }
        guard let picture = Data(base64Encoded: data, options: .ignoreUnknownCharacters) else {
            throw FlatteningError(
                .badInput, "GDepth's data is not base64", stage: .embeddedDepth,
                seen: "\(data.count) characters", allowed: "base64")
        }
        var found = EmbeddedCapture()
        found.depth = try range.depth(in: InputFile(name: "GDepth", bytes: Array(picture)), limits: limits)
        return found
    }
}

/// A JPEG's XMP together with the extended packet, which holds data too long for one segment.
struct XMPPackets {
    private static let notes = "http://ns.adobe.com/xmp/note/"
    private let packets: [XMPPacket]

    /// Reads the packets of a file's first image.
    /// - Parameter structures: see ``XMPPacket/init(_:structures:)``.
    init(ofJPEG bytes: [UInt8], structures: Set<String> = []) {
        let metadata = JPEGMetadata(bytes, of: 0..<bytes.count)
        let main = metadata.xmp.map { XMPPacket(bytes[$0], structures: structures) }
        let extended = main?.value(Self.notes, "HasExtendedXMP")
            .flatMap { metadata.extendedXMP(identifier: $0, in: bytes) }
            .map { XMPPacket($0, structures: structures) }
        packets = [main, extended].compactMap(\.self)
    }

    /// A property's first value.
    func value(_ namespace: String, _ name: String) -> String? {
        packets.lazy.compactMap { $0.value(namespace, name) }.first
    }

    /// A property's first value as a number.
    func number(_ namespace: String, _ name: String) -> Double? {
        value(namespace, name).flatMap(Double.init)
    }

    /// Returns the properties within each element of a name, from the first packet that has any.
    func structures(_ name: String) -> [[String: String]] {
        packets.lazy.map { $0.structures(name) }.first { !$0.isEmpty } ?? []
    }
}
