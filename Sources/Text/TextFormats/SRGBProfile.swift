import Imaging

/// The ICC profile of sRGB, version 2.1. It defines the meaning of pixel values for a PDF that embeds it.
///
/// Built from the numbers of IEC 61966-2-1 as ICC.1:1998-09 prescribes: primaries adapted to D50, and the transfer curve as a
/// table.
enum SRGBProfile {
    /// Number of steps in the transfer curve's table; readers interpolate between them with an error below 1/65536 of white.
    private static let curveSteps = 1024

    /// The profile.
    static let bytes: [UInt8] = {
        let curve = tag(
            "curv", [UInt32(curveSteps)].bigEndianBytes + (0..<curveSteps).map(linear).bigEndianBytes)
        let tags: [(names: [String], bytes: [UInt8])] = [
            (["desc"], description), (["cprt"], tag("text", Array("No copyright is claimed.\0".utf8))),
            // Colours as X, Y, Z in 1/65536: the white of D50, then red, green and blue.
            (["wtpt"], tag("XYZ ", whitePoint.bigEndianBytes)),
            (["rXYZ"], tag("XYZ ", [0x6FA2, 0x38F5, 0x0390 as UInt32].bigEndianBytes)),
            (["gXYZ"], tag("XYZ ", [0x6299, 0xB785, 0x18DA as UInt32].bigEndianBytes)),
            (["bXYZ"], tag("XYZ ", [0x24A0, 0x0F84, 0xB6CF as UInt32].bigEndianBytes)),
            (["rTRC", "gTRC", "bTRC"], curve),
        ]
        let count = tags.reduce(0) { $0 + $1.names.count }
        var table = [UInt32(count)].bigEndianBytes
        var data: [UInt8] = []
        for (names, bytes) in tags {
            let place = 128 + 4 + 12 * count + data.count
            for name in names {
                table += Array(name.utf8) + [UInt32(place), UInt32(bytes.count)].bigEndianBytes
            }
            data += bytes + [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4)
        }
        return header(size: 128 + table.count + data.count) + table + data
    }()

    private static let whitePoint: [UInt32] = [0xF6D6, 0x10000, 0xD32D]

    private static func header(size: Int) -> [UInt8] {
        [UInt32(size), 0, 0x0210_0000].bigEndianBytes + Array("mntrRGB XYZ ".utf8)
            // The date of the standard's first edition, without a time.
            + [1999, 10, 1, 0, 0, 0 as UInt16].bigEndianBytes + Array("acsp".utf8)
            // Platform, flags, device, model, attributes (8 bytes), intent; the illuminant; creator and 44 reserved bytes.
            + [UInt8](repeating: 0, count: 28) + whitePoint.bigEndianBytes + [UInt8](repeating: 0, count: 48)
    }

    private static func tag(_ type: String, _ content: [UInt8]) -> [UInt8] {
        Array(type.utf8) + [0, 0, 0, 0] + content
    }

    /// The name in ASCII; its versions in Unicode and for old Macintoshes (67 bytes) are left empty.
    private static var description: [UInt8] {
        let name = Array("sRGB IEC61966-2.1\0".utf8)
        return tag(
            "desc",
            [UInt32(name.count)].bigEndianBytes + name + [UInt8](repeating: 0, count: 4 + 4 + 2 + 1 + 67))
    }

    /// Returns the linear light of a step of the curve; 65535 is white.
    private static func linear(_ step: Int) -> UInt16 {
        let value = Double(step) / Double(curveSteps - 1)
        return UInt16((SRGBCurve.light(of: value) * 65535).rounded())
    }
}
