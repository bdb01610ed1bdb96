import ScalarText

/// A bar code or two-dimensional code that was read.
public struct SheetCode: Equatable, Sendable {
    /// A kind of code.
    public enum Symbology: String, CaseIterable, Codable, Sendable {
        /// EAN-13, except codes that begin with 0: those are UPC-A.
        case ean13 = "ean-13"
        /// EAN-8.
        case ean8 = "ean-8"
        /// UPC-A.
        case upcA = "upc-a"
        /// UPC-E.
        case upcE = "upc-e"
        /// Code 128, including GS1-128.
        case code128 = "code-128"
        /// Code 39.
        case code39 = "code-39"
        /// Code 93.
        case code93 = "code-93"
        /// Interleaved 2 of 5.
        case itf = "itf"
        /// Codabar.
        case codabar = "codabar"
        /// QR Code.
        case qr = "qr"
        /// Micro QR Code.
        case microQR = "micro-qr"
        /// Data Matrix.
        case dataMatrix = "data-matrix"
        /// Aztec Code.
        case aztec = "aztec"
        /// PDF417.
        case pdf417 = "pdf-417"
        /// GS1 DataBar, omnidirectional or stacked.
        case dataBar = "databar"
        /// GS1 DataBar Expanded, stacked or not.
        case dataBarExpanded = "databar-expanded"

        /// Whether its modules fill a square or a rectangle instead of one row of bars.
        package var isSquare: Bool {
            switch self {
            case .qr, .microQR, .dataMatrix, .aztec, .pdf417: true
            default: false
            }
        }
    }

    /// The engine that read a code.
    public enum Engine: String, CaseIterable, Codable, Sendable {
        /// zbar.
        case zbar
        /// libdmtx.
        case dmtx
        /// ZXing-C++.
        case zxing
    }

    /// The kind of code.
    public let symbology: Symbology
    /// The encoded bytes, in order; GS1's separator is 0x1D.
    public let bytes: [UInt8]
    /// The bytes as text; nil where they are not text. Codabar's start and stop characters and a leading FNC1 are left out.
    public let text: String?
    /// GS1's data elements, in the order in which they are encoded; nil if the code holds none.
    public let elements: [GS1Element]?
    /// The engine that read it.
    public let engine: Engine
    /// The four corners in pixels of the flat image, clockwise; nil if the flat image does not show the code or the engine did
    /// not report them.
    public internal(set) var corners: [SIMD2<Double>]?
    /// The same in pixels of the upright photograph.
    public internal(set) var photographCorners: [SIMD2<Double>]?

    /// Whether it holds personal data: a name, a number, a mail address, an account. This is broader than `content`: any text
    /// with an "@" or with the start of a contact counts.
    package var isPersonal: Bool {
        if content?.isPersonal == true { return true }
        let text = (text ?? "").lowercased()
        return text.containsScalar("@")
            || ["begin:vcard", "mecard:", "tel:", "mailto:", "smsto:"].contains { text.hasScalarPrefix($0) }
    }

    /// The code in a flat image `scale` times as large.
    package func scaled(by scale: Double) -> SheetCode {
        var code = self
        code.corners = corners?.map { ($0 + 0.5) * scale - 0.5 }
        return code
    }
}
