import CZXing
import Diagnostics
import Imaging

/// Reads codes with ZXing-C++.
struct ZXingEngine {
    private let zxing: CZXingFunctions

    /// - Throws: `.missingDependency`, `.shortage`.
    init() throws(FlatteningError) { zxing = try CodeLibraries.zxing.load() }

    /// Symbologies keyed by the format's name in lower case, letters and digits only; version 3 names variants separately.
    private static let symbologies: [String: SheetCode.Symbology] = [
        "ean13": .ean13, "isbn": .ean13, "ean8": .ean8, "upca": .upcA, "upce": .upcE, "code128": .code128,
        "code39": .code39, "code39standard": .code39, "code39extended": .code39, "code93": .code93,
        "itf": .itf,
        "itf14": .itf, "codabar": .codabar, "qrcode": .qr, "qrcodemodel1": .qr, "qrcodemodel2": .qr,
        "microqrcode": .microQR, "datamatrix": .dataMatrix, "aztec": .aztec, "azteccode": .aztec,
        "pdf417": .pdf417, "compactpdf417": .pdf417, "databar": .dataBar, "databaromni": .dataBar,
        "databarstacked": .dataBar, "databarstackedomni": .dataBar, "databarlimited": .dataBar,
        "databarexpanded": .dataBarExpanded, "databarexpandedstacked": .dataBarExpanded,
    ]

    /// The codes in an image, in ZXing's order.
    /// - Throws: `.shortage` if ZXing runs out of memory.
    func readings(in image: GrayImage) throws(FlatteningError) -> [CodeReading] {
        guard let options = zxing.ZXing_ReaderOptions_new() else { throw Self.shortage }
        defer { zxing.ZXing_ReaderOptions_delete(options) }
        zxing.ZXing_ReaderOptions_setTextMode(options, CInt(CZXING_PLAIN))
        let readings: [CodeReading]? = image.elements.withUnsafeBufferPointer { pixels in
            guard let first = pixels.baseAddress else { return [] }
            guard
                let view = zxing.ZXing_ImageView_new(
                    first, CInt(image.width), CInt(image.height), CInt(CZXING_LUMINANCE), CInt(image.width), 1
                )
            else { return nil }
            defer { zxing.ZXing_ImageView_delete(view) }
            guard let codes = zxing.ZXing_ReadBarcodes(view, options) else { return nil }
            defer { zxing.ZXing_Barcodes_delete(codes) }
            return (0..<max(zxing.ZXing_Barcodes_size(codes), 0)).compactMap { index in
                zxing.ZXing_Barcodes_at(codes, index).flatMap(reading)
            }
        }
        guard let readings else { throw Self.shortage }
        return readings
    }

    private func reading(_ code: OpaquePointer) -> CodeReading? {
        guard zxing.ZXing_Barcode_isValid(code),
            let name = zxing.ZXing_BarcodeFormatToString(zxing.ZXing_Barcode_format(code))
        else { return nil }
        defer { zxing.ZXing_free(name) }
        let key = String(cString: name).lowercased().filter { $0.isLetter || $0.isNumber }
        guard var symbology = Self.symbologies[key] else { return nil }
        var count = CInt(0)
        guard let data = zxing.ZXing_Barcode_bytes(code, &count) else { return nil }
        defer { zxing.ZXing_free(data) }
        var bytes = Array(UnsafeBufferPointer(start: data, count: Int(max(count, 0))))
        var text = zxing.ZXing_Barcode_text(code).map { words in
            defer { zxing.ZXing_free(words) }
            return String(cString: words)
        }
        // C strings end at a zero byte; the bytes do not.
        if bytes.contains(0) { text = nil }
        if bytes.first == UInt8(ascii: "0"), symbology == .ean13 || symbology == .upcA && bytes.count == 13 {
            symbology = .upcA
            bytes.removeFirst()
            text = nil
        }
        let place = zxing.ZXing_Barcode_position(code)
        return CodeReading(
            symbology: symbology, bytes: bytes, text: text,
            isGS1: zxing.ZXing_Barcode_contentType(code) == CInt(CZXING_GS1), engine: .zxing, agreement: nil,
            points: [place.top_left, place.top_right, place.bottom_right, place.bottom_left].map {
                SIMD2(Double($0.x), Double($0.y))
            })
    }

    private static var shortage: FlatteningError {
        FlatteningError(.shortage, "ZXing-C++ finds no memory", stage: .finding)
    }
}
