import CZBar
import Diagnostics
import Imaging

/// Reads codes with zbar.
struct ZBarEngine {
    private let zbar: CZBarFunctions

    /// - Throws: `.missingDependency`, `.shortage`.
    init() throws(FlatteningError) { zbar = try CodeLibraries.zbar.load() }

    private static let symbologies: [Int32: SheetCode.Symbology] = [
        CInt(CZBAR_EAN13): .ean13, CInt(CZBAR_EAN8): .ean8, CInt(CZBAR_UPCA): .upcA, CInt(CZBAR_UPCE): .upcE,
        CInt(CZBAR_ITF): .itf, CInt(CZBAR_DATABAR): .dataBar, CInt(CZBAR_DATABAR_EXPANDED): .dataBarExpanded,
        CInt(CZBAR_CODABAR): .codabar, CInt(CZBAR_CODE39): .code39, CInt(CZBAR_QR): .qr,
        CInt(CZBAR_CODE93): .code93,
        CInt(CZBAR_CODE128): .code128,
    ]
    /// "Y800", zbar's code for an image format of 8-bit grey.
    private static let gray = UInt(0x3030_3859)

    /// The codes in an image, in zbar's order.
    /// - Throws: `.shortage` if zbar runs out of memory.
    func readings(in image: GrayImage) throws(FlatteningError) -> [CodeReading] {
        guard let scanner = zbar.zbar_image_scanner_create() else { throw Self.shortage }
        defer { zbar.zbar_image_scanner_destroy(scanner) }
        set(scanner, CZBAR_ANY, CZBAR_ENABLE, 0)
        for symbology in Self.symbologies.keys.sorted() {
            _ = zbar.zbar_image_scanner_set_config(scanner, symbology, CInt(CZBAR_ENABLE), 1)
        }
        set(scanner, CZBAR_QR, CZBAR_BINARY, 1)
        set(scanner, CZBAR_ANY, CZBAR_TEST_INVERTED, 1)
        guard let picture = zbar.zbar_image_create() else { throw Self.shortage }
        // Runs only after the symbols have been copied; this code keeps ownership of the pixels.
        defer { zbar.zbar_image_destroy(picture) }
        let readings: [CodeReading]? = image.elements.withUnsafeBytes { pixels in
            guard let first = pixels.baseAddress else { return [] }
            zbar.zbar_image_set_format(picture, Self.gray)
            zbar.zbar_image_set_size(picture, UInt32(image.width), UInt32(image.height))
            zbar.zbar_image_set_data(picture, first, UInt(pixels.count), nil)
            guard zbar.zbar_scan_image(scanner, picture) >= 0 else { return nil }
            var readings: [CodeReading] = []
            var next = zbar.zbar_image_first_symbol(picture)
            while let symbol = next {
                if let reading = reading(symbol) { readings.append(reading) }
                next = zbar.zbar_symbol_next(symbol)
            }
            return readings
        }
        guard let readings else { throw Self.shortage }
        return readings
    }

    private func set(
        _ scanner: OpaquePointer, _ symbology: some BinaryInteger, _ config: some BinaryInteger, _ value: CInt
    ) {
        // A setting unknown to this version of zbar is ignored.
        _ = zbar.zbar_image_scanner_set_config(scanner, CInt(symbology), CInt(config), value)
    }

    private func reading(_ symbol: OpaquePointer) -> CodeReading? {
        guard var symbology = Self.symbologies[zbar.zbar_symbol_get_type(symbol)],
            let data = zbar.zbar_symbol_get_data(symbol)
        else { return nil }
        let count = Int(zbar.zbar_symbol_get_data_length(symbol))
        var bytes = Array(UnsafeRawBufferPointer(start: data, count: count))
        if symbology == .ean13, bytes.first == UInt8(ascii: "0") {
            symbology = .upcA
            bytes.removeFirst()
        }
        let points = (0..<zbar.zbar_symbol_get_loc_size(symbol)).map {
            SIMD2(
                Double(zbar.zbar_symbol_get_loc_x(symbol, $0)), Double(zbar.zbar_symbol_get_loc_y(symbol, $0))
            )
        }
        return CodeReading(
            symbology: symbology, bytes: bytes,
            isGS1: zbar.zbar_symbol_get_modifiers(symbol) & UInt32(CZBAR_GS1) != 0, engine: .zbar,
            agreement: symbology == .qr ? nil : Int(zbar.zbar_symbol_get_quality(symbol)), points: points)
    }

    private static var shortage: FlatteningError {
        FlatteningError(.shortage, "zbar finds no memory", stage: .finding)
    }
}
