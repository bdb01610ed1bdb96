import Imaging

/// The parts of an image's EXIF that are used: its orientation and focal length.
///
/// EXIF is a TIFF structure; this type reads only two of its directories, never outside `bytes`, and treats anything broken
/// as absent: metadata must not make a good image unreadable.
struct ExifMetadata: Equatable {
    /// Tag 0x0112, nil if absent or not 1 to 8.
    var orientation: ImageOrientation?
    /// Tag 0xA405 in millimetres, nil if absent or 0.
    var focalLengthIn35mmFilm: Double?

    /// Creates empty metadata.
    init() {}

    /// Reads a TIFF structure ("II*\0" or "MM\0*").
    init(tiff bytes: some RandomAccessCollection<UInt8>) {
        guard let reader = TIFFFields(bytes: bytes) else { return }
        let main = reader.entries(at: reader.uint32(at: 4))
        orientation = main[0x0112].flatMap { ImageOrientation(rawValue: $0) }
        if let position = main[0x8769] {
            let exif = reader.entries(at: position)
            focalLengthIn35mmFilm = exif[0xA405].flatMap { $0 > 0 ? Double($0) : nil }
        }
    }
}
