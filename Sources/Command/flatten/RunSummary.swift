import ReceiptFlattening

/// The line that ends a run on a terminal: what was written for a sheet, and how it was flattened.
struct RunSummary: CustomStringConvertible {
    let description: String

    /// - Parameters:
    ///   - report: what was decided.
    ///   - outputs: paths of the files written.
    init(_ report: FlatteningReport, outputs: [String]) {
        var facts = [report.method.rawValue]
        if let size = report.sheetMm ?? report.sizeMm {
            facts.append("\(Self.figure(size.width)) x \(Self.figure(size.height)) mm")
        }
        if let dpi = report.dpi { facts.append("\(Int(dpi.rounded())) dpi") }
        if let text = report.text {
            facts.append(Self.count(text.lines, "line") + " of text")
            if let unread = text.unreadRows, unread > 0 {
                facts.append(Self.count(unread, "row") + " not read")
            }
        }
        if let redaction = report.redaction {
            let counts = redaction.hidden.sorted { $0.key < $1.key }.map { "\($0.value) x \($0.key)" }
            facts.append("blacked out " + counts.joined(separator: ", "))
        }
        facts.append("confidence \(Self.figure(report.confidence * 100)) %")
        // Warnings were printed before; the last line on the screen must not suggest that there were none.
        if !report.warnings.isEmpty { facts.append(Self.count(report.warnings.count, "warning")) }
        let names = outputs.map { $0 == "-" ? "standard output" : $0 }
        description = names.joined(separator: ", ") + ": " + facts.joined(separator: ", ")
    }

    private static func count(_ number: Int, _ thing: String) -> String {
        "\(number) \(thing)\(number == 1 ? "" : "s")"
    }

    /// A number as people read it: rounded to a tenth, without ".0".
    private static func figure(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(abs(tenths % 10))"
    }
}
