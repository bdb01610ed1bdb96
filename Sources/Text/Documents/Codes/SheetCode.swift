import ScalarText

/// A bar code or two-dimensional code, read.
public struct SheetCode: Equatable, Sendable {
    /// A kind of code.
    public enum Symbology: String, CaseIterable, Codable, Sendable {
        /// EAN-13, without those that begin with 0: they are UPC-A.
        case ean13 = "ean-13"
        /// EAN-8.
        case ean8 = "ean-8"
        /// UPC-A.
        case upcA = "upc-a"
        /// UPC-E.
        case upcE = "upc-e"
        /// Code 128, GS1-128 among them.
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

        /// Whether its modules lie in a square or a rectangle, not in one row of bars.
        package var isSquare: Bool {
            switch self {
            case .qr, .microQR, .dataMatrix, .aztec, .pdf417: true
            default: false
            }
        }
    }

    /// What read a code.
    public enum Engine: String, CaseIterable, Codable, Sendable {
        /// zbar.
        case zbar
        /// libdmtx.
        case dmtx
        /// ZXing-C++.
        case zxing
    }

    /// What kind of code it is.
    public let symbology: Symbology
    /// The bytes that are encoded, in their order; GS1's separator is 0x1D.
    public let bytes: [UInt8]
    /// The bytes as text; nil where they are none. Codabar's start and stop are left out, as is a leading FNC1.
    public let text: String?
    /// GS1's data elements, in the order in which they stand; nil where the code holds none.
    public let elements: [GS1Element]?
    /// What read it.
    public let engine: Engine
    /// Where it stands in pixels of the flat picture: four corners, clockwise in the picture; nil where the flat picture does
    /// not show it, or the engine did not tell.
    public internal(set) var corners: [SIMD2<Double>]?
    /// Where it stands in pixels of the upright photograph, likewise.
    public internal(set) var photographCorners: [SIMD2<Double>]?

    /// Whether it holds what belongs to a person: a name, a number, a mail address, an account. More than `content` knows counts:
    /// whatever has an "@" or begins as a contact does.
    package var isPersonal: Bool {
        if content?.isPersonal == true { return true }
        let text = (text ?? "").lowercased()
        return text.containsScalar("@")
            || ["begin:vcard", "mecard:", "tel:", "mailto:", "smsto:"].contains { text.hasScalarPrefix($0) }
    }

    /// The code in a flat picture `scale` times as large.
    package func scaled(by scale: Double) -> SheetCode {
        var code = self
        code.corners = corners?.map { ($0 + 0.5) * scale - 0.5 }
        return code
    }
}
