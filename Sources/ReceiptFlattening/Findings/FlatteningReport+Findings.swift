import Documents
import Imaging

extension FlatteningReport {
    /// Takes what was looked for, and found, on the sheet.
    /// - Parameter map: takes the flat picture's pixels to the photograph's.
    mutating func fill(with findings: SheetFindings, map: SamplingMap, pixelsPerMillimeter: Double?) {
        mrz = findings.mrz.map { .init($0, map: map, pixelsPerMillimeter: pixelsPerMillimeter) }
        finds = findings.sought.isEmpty ? nil : findings.sought.map(\.rawValue).sorted()
        document = findings.document.map(DocumentSummary.init)
        items = findings.items?.map { .init($0, map: map, pixelsPerMillimeter: pixelsPerMillimeter) }
        contact = findings.contact.map { .init($0, map: map, pixelsPerMillimeter: pixelsPerMillimeter) }
    }
}
