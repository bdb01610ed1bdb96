import Documents
import Imaging
import RuntimeLibraries

extension FlatteningReport {
    /// Fills in what was looked for and found on the sheet.
    /// - Parameter map: maps the flat image's pixels to the photograph's.
    mutating func fill(with findings: SheetFindings, map: SamplingMap, pixelsPerMillimeter: Double?) {
        mrz = findings.mrz.map { .init($0, map: map, pixelsPerMillimeter: pixelsPerMillimeter) }
        finds = findings.sought.isEmpty ? nil : findings.sought.map(\.rawValue).sorted()
        codes = findings.codes?.map { CodeSummary($0, pixelsPerMillimeter: pixelsPerMillimeter) }
        codesNotSought = findings.codesNotSought?.map(\.rawValue)
        if findings.sought.contains(.codes) {
            // The versions of the libraries that looked for codes.
            for library in CodeLibraries.versions {
                if case .loaded(let version) = library.state { versions[library.name.lowercased()] = version }
            }
        }
        faces = findings.faces?.map { FaceSummary($0, pixelsPerMillimeter: pixelsPerMillimeter) }
        document = findings.document.map(DocumentSummary.init)
        items = findings.items?.map { .init($0, map: map, pixelsPerMillimeter: pixelsPerMillimeter) }
        contact = findings.contact.map { .init($0, map: map, pixelsPerMillimeter: pixelsPerMillimeter) }
    }
}
