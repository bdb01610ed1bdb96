package import DepthGeometry
package import Diagnostics
import Documents
import Platform
import ImageFiles
package import Imaging
package import ReceiptFlattening
import TextRecognition
import ScalarText

/// One receipt as an HTML page that opens from disk and loads nothing from any server.
///
/// Photograph and flat image stand side by side. Words can be selected where they stand, and each value is linked to
/// its box on both images. Everything can be read without scripts. With scripts, boxes light up, one image can be made
/// larger at the cost of the other, and the sheet unrolls in three dimensions.
package struct ResultPage: Sendable {
    /// The images' longest sides in pixels: letters of 2 mm stay readable on a receipt of 300 mm, and a page stays at a
    /// few megabytes.
    private static let (longestPhotograph, longestFlat) = (1600, 2400)
    /// JPEG quality of the images: a third of the bytes of 92, and letters stay clean.
    private static let pictureQuality = 82

    /// The whole page.
    package let html: String

    /// Makes the page of a receipt.
    /// - Parameters:
    ///   - name: the capture's name.
    ///   - isRedacted: whether personal data was taken out; the photograph still shows it, so the page leaves out the
    ///     photograph.
    /// - Throws: as JPEG encoding does.
    /// - Complexity: O(pixels).
    package init(
        of receipt: FlattenedReceipt, in capture: Capture, name: String, isRedacted: Bool
    ) throws(FlatteningError) {
        var page = Writer(receipt: receipt, capture: capture, isRedacted: isRedacted)
        html = try page.page(name: name)
    }

    /// Links a value on the page to a box on each image.
    private struct Mark {
        var group: String
        var label: String
        var value: String
        var confidence: Double?
        var flat: [[Double]]?
        var photograph: [[Double]]?

        /// Whether the middle of a polygon on the flat image lies within this one's bounds.
        func covers(_ polygon: [[Double]]?) -> Bool {
            guard let flat, let polygon, !flat.isEmpty, !polygon.isEmpty else { return false }
            return (0...1).allSatisfy { axis in
                let bounds = flat.map { $0[axis] }
                let middle = polygon.reduce(0) { $0 + $1[axis] } / Double(polygon.count)
                return bounds.reduce(bounds[0], min) <= middle && middle <= bounds.reduce(bounds[0], max)
            }
        }
    }

    private struct Writer {
        let receipt: FlattenedReceipt
        let capture: Capture
        let isRedacted: Bool
        var marks: [Mark] = []

        private var report: FlatteningReport { receipt.report }
        private var showsPhotograph: Bool { !isRedacted && !report.isJoined }

        mutating func page(name: String) throws(FlatteningError) -> String {
            collectMarks()
            let title = receipt.fields == nil ? name : "\(receipt.title) - \(name)"
            let flat = receipt.picture.forReading.render()
            let body = [
                "<header><h1>\(Markup.escaped(title))</h1>\(summary)</header>", "<main>",
                try pictures(flat), values, contradictions, try relief(), text, notes, try downloads(name),
                "</main>",
            ]
            return Markup.page(
                title: title, code: .result, images: "data:", body: body.joined(separator: "\n"))
        }

        // MARK: What is tied to places

        private mutating func collectMarks() {
            typealias Field = FlatteningReport.FieldSummary
            let decimals = decimalsOfAmounts
            func add(
                _ group: String, _ label: String, _ field: Field?, isAmount: Bool = false,
                hasPlace: Bool = true
            ) {
                guard let field else { return }
                marks.append(
                    Mark(
                        group: group, label: label,
                        value: isAmount ? Self.padded(field.value, to: decimals) : field.value,
                        confidence: field.confidence, flat: hasPlace ? field.polygon.flat : nil,
                        photograph: hasPlace ? field.polygon.photograph : nil))
            }
            if let fields = report.fields {
                for name in ReceiptFieldName.allCases.filter({ !$0.isAmount }) + Self.amounts {
                    add(
                        "Fields", name.label, fields[name], isAmount: name.isAmount,
                        hasPlace: !name.isConcluded)
                }
                for item in fields.items {
                    let quantity = item.quantity.map { "\($0)\(item.unit.map { " " + $0 } ?? "") x " } ?? ""
                    marks.append(
                        Mark(
                            group: "Bought", label: quantity + item.description,
                            value: Self.padded(item.amount, to: decimals), confidence: item.confidence,
                            flat: item.polygon.flat,
                            photograph: item.polygon.photograph))
                }
            }
            for code in report.codes ?? [] {
                marks.append(
                    Mark(
                        group: "Codes", label: code.symbology, value: code.text ?? code.bytes,
                        confidence: nil,
                        flat: code.polygon.flat, photograph: code.polygon.photograph))
            }
            if let contact = report.contact {
                for name in contact.names {
                    marks.append(
                        Mark(
                            group: "Contact", label: "Name", value: name.full, confidence: name.confidence,
                            flat: name.polygon.flat, photograph: name.polygon.photograph))
                }
                add("Contact", "Organisation", contact.organisation)
                add("Contact", "Job", contact.title)
                for phone in contact.phones {
                    marks.append(
                        Mark(
                            group: "Contact", label: "Phone (\(phone.kind))", value: phone.value,
                            confidence: phone.confidence, flat: phone.polygon.flat,
                            photograph: phone.polygon.photograph))
                }
                for email in contact.emails { add("Contact", "Mail", email) }
                for url in contact.urls { add("Contact", "Web", url) }
                if let address = contact.address {
                    marks.append(
                        Mark(
                            group: "Contact", label: "Address", value: address.full,
                            confidence: address.confidence, flat: address.polygon.flat,
                            photograph: address.polygon.photograph))
                }
            }
            for item in report.items ?? [] {
                let isPrice = item.currency != nil || item.kind == RecognizedItem.Kind.price.rawValue
                let value = isPrice ? Self.padded(item.value, to: decimals) : item.value
                // A number that is already shown as a field or as something bought is not shown again.
                guard !marks.contains(where: { $0.value == value && $0.covers(item.polygon.flat) }) else {
                    continue
                }
                marks.append(
                    Mark(
                        group: "Found on the sheet", label: item.kind,
                        value: [value, item.currency].compactMap(\.self).joined(separator: " "),
                        confidence: item.confidence, flat: item.polygon.flat,
                        photograph: item.polygon.photograph))
            }
            if let zone = report.mrz {
                marks.append(
                    Mark(
                        group: "Machine-readable zone", label: zone.format,
                        value: zone.lines.joined(separator: "\n"), confidence: zone.confidence,
                        flat: zone.polygon.flat, photograph: zone.polygon.photograph))
            }
        }

        private static let amounts = ReceiptFieldName.allCases.filter(\.isAmount)

        /// The most decimals of any amount: a receipt prints all amounts with as many, but the report leaves out
        /// closing zeros.
        private var decimalsOfAmounts: Int {
            let fields = report.fields.map { fields in
                Self.amounts.compactMap { fields[$0]?.value } + fields.items.map(\.amount)
            }
            return (fields ?? []).map(Self.decimals).max() ?? 0
        }

        private static func decimals(_ amount: String) -> Int {
            amount.split(atScalar: ".", maxSplits: 1).dropFirst().first?.count ?? 0
        }

        /// Returns an amount with as many decimals as are wanted.
        private static func padded(_ amount: String, to wanted: Int) -> String {
            let missing = wanted - decimals(amount)
            guard missing > 0 else { return amount }
            return amount + (amount.containsScalar(".") ? "" : ".") + String(repeating: "0", count: missing)
        }

        // MARK: Parts of the page

        private var summary: String {
            var facts = [Self.words(for: report.method)]
            if let size = report.sheetMm ?? report.sizeMm {
                facts.append("\(Int(size.width.rounded())) x \(Int(size.height.rounded())) mm")
            }
            if let dpi = report.dpi { facts.append("\(Int(dpi.rounded())) dpi") }
            facts.append("confidence \(Self.percent(report.confidence))")
            return "<p class=\"facts\">\(Markup.escaped(facts.joined(separator: " · ")))</p>"
        }

        private func pictures(_ flat: RGBImage) throws(FlatteningError) -> String {
            let flatFigure = try figure(
                flat, longest: ResultPage.longestFlat, id: "flat", caption: "Flat picture",
                layers: boxes("flat", \.flat) + words)
            guard showsPhotograph else {
                let why =
                    isRedacted
                    ? "The photograph is left out: it still shows what is blacked out here."
                    : "The photographs that this was joined from are not shown."
                return "<section aria-label=\"Pictures\" id=\"pictures\" class=\"single\">\(flatFigure)"
                    + "<p>\(why)</p></section>"
            }
            let photograph = try figure(
                capture.image, longest: ResultPage.longestPhotograph, id: "photograph", caption: "Photograph",
                layers: outline + boxes("photograph", \.photograph))
            return """
                <section aria-label="Pictures"><p class="scripted"><label for="share">Photograph or flat picture</label>
                <input id="share" type="range" min="0" max="100" value="50" /></p>
                <div id="pictures">\(photograph)\(flatFigure)</div></section>
                """
        }

        /// Returns an image under a drawing in the image's own pixels.
        private func figure(
            _ image: RGBImage, longest: Int, id: String, caption: String, layers: String
        ) throws(FlatteningError) -> String {
            let shown = image.bounded(longest)
            let jpeg = try ImageWriter.jpeg(shown, quality: ResultPage.pictureQuality, pixelsPerMeter: nil)
            // Pixel centres lie on whole numbers, so the image's rim is half a pixel before them.
            return """
                <figure id="\(id)"><figcaption>\(caption)</figcaption><div class="stack"><img \
                src="\(Markup.dataURI(jpeg, type: "image/jpeg"))" width="\(shown.width)" height="\(shown.height)" \
                alt="\(caption)" /><svg viewBox="-0.5 -0.5 \(image.width) \(image.height)">\(layers)</svg></div></figure>
                """
        }

        private var outline: String {
            guard let outline = report.outline else { return "" }
            return "<polygon class=\"outline\" points=\"\(Self.points(outline))\" />"
        }

        /// Returns the boxes of all marks on one image, each a link to its row.
        private func boxes(_ picture: String, _ place: (Mark) -> [[Double]]?) -> String {
            marks.enumerated().compactMap { index, mark in
                place(mark).map {
                    """
                    <a href="#value-\(index)" id="\(picture)-\(index)" class="box" data-mark="\(index)" \
                    aria-label="\(Markup.escaped("\(mark.label): \(mark.value)"))"><polygon \
                    points="\(Self.points($0))" /></a>
                    """
                }
            }.joined()
        }

        /// The words at their places: invisible, because the image shows them, but there to be selected.
        private var words: String {
            guard let text = receipt.text else { return "" }
            return text.blocks.flatMap(\.lines).map { line in
                let words = line.words.map { word in
                    let box = word.box
                    // A box includes descenders about as often as not: nine tenths down is near the base line in both
                    // cases.
                    return """
                        <text x="\(Self.number(box.left - 0.5))" y="\(Self.number(box.bottom - 0.1 * box.height - 0.5))" \
                        font-size="\(Self.number(max(box.height, 1)))" textLength="\(Self.number(max(box.width, 1)))" \
                        lengthAdjust="spacingAndGlyphs">\(Markup.escaped(word.text)) </text>
                        """
                }
                return "<g>" + words.joined() + "</g>"
            }.joined()
        }

        private var values: String {
            guard !marks.isEmpty else { return "" }
            var groups: [String] = []
            for mark in marks where !groups.contains(mark.group) { groups.append(mark.group) }
            let tables = groups.map { group in
                let rows = marks.enumerated().filter { $0.element.group == group }.map { index, mark in
                    let label = Markup.escaped(mark.label)
                    let value = Markup.escaped(mark.value)
                    let linked = mark.flat == nil ? value : "<a href=\"#flat-\(index)\">\(value)</a>"
                    let confidence = mark.confidence.map(Self.percent) ?? ""
                    return "<tr id=\"value-\(index)\" data-mark=\"\(index)\"><th scope=\"row\">\(label)</th>"
                        + "<td class=\"value\">\(linked)</td><td>\(confidence)</td></tr>"
                }
                return """
                    <table><caption>\(group)</caption><thead><tr><th scope="col">What</th><th scope="col">Value</th>\
                    <th scope="col">Confidence</th></tr></thead><tbody>\(rows.joined(separator: "\n"))</tbody></table>
                    """
            }
            return "<section aria-label=\"Values\" id=\"values\">\(tables.joined(separator: "\n"))</section>"
        }

        private var contradictions: String {
            Self.list("Contradictions", report.fields?.contradictions ?? [])
        }

        private var text: String {
            guard let text = receipt.text else { return "" }
            let language = Markup.escaped(text.language)
            return "<section><h2>Text</h2><p class=\"facts\">Read as \(language), mean confidence "
                + "\(Self.percent(text.confidence))</p><pre id=\"text\">\(Markup.escaped(text.string))</pre></section>"
        }

        private var notes: String {
            let refused = report.refused.map { "\($0.step) was not used: \($0.reason)" }
            return Self.list("Warnings", report.warnings) + Self.list("Steps that were not taken", refused)
        }

        private static func list(_ title: String, _ sentences: [String]) -> String {
            guard !sentences.isEmpty else { return "" }
            let items = sentences.map { "<li>\(Markup.escaped($0))</li>" }
            return "<section><h2>\(title)</h2><ul>\(items.joined())</ul></section>"
        }

        /// Returns the sheet in three dimensions, and the relief as an image for browsers that cannot draw the sheet.
        private func relief() throws(FlatteningError) -> String {
            guard let mesh = FittedSheetMesh(of: receipt, in: capture, detail: .page) else { return "" }
            let preview = try ReliefPreview(of: capture, plane: receipt.plane, outline: receipt.outline)
            let png = try ImageWriter.png(preview.image, pixelsPerMeter: nil)
            let scale = "each band \(Self.number(preview.bandMillimeters)) mm high"
            return """
                <section id="shape"><h2>Shape</h2>
                <div id="drawn" hidden="hidden"><canvas id="sheet" tabindex="0" role="img" aria-label="The sheet in three \
                dimensions; arrow keys turn it, plus and minus bring it nearer and farther"></canvas>
                <p><label for="unroll">Curved to flat</label> <input id="unroll" type="range" min="0" max="100" \
                value="0" /></p>
                <p><label><input type="checkbox" id="residual" /> Colour by residual</label> <span class="facts">(red: the \
                depth reading lies in front of the surface, blue: behind it; full colour at <span id="range"></span> mm)\
                </span></p></div>
                <img id="relief" src="\(Markup.dataURI(png, type: "image/png"))" width="\(preview.image.width)" \
                height="\(preview.image.height)" alt="Relief: height above the sheet's plane, \(scale)" />
                <script type="application/json" id="mesh">\(Markup.scriptData(MeshData(mesh)))</script></section>
                """
        }

        private func downloads(_ name: String) throws(FlatteningError) -> String {
            // By Characters: a combining mark stays with its letter.
            var stem = String(name.map { $0.isLetter || $0.isNumber || "-_. ".contains($0) ? $0 : "_" })
            stem = stem.isEmpty ? "receipt" : stem
            func link(_ words: String, _ file: String, _ href: String) -> String {
                "<li><a download=\"\(Markup.escaped(file))\" href=\"\(href)\">\(words)</a></li>"
            }
            // The image is in the page only once: the page's script points this link to its bytes.
            var links = [
                "<li><a id=\"save\" href=\"#flat\" data-name=\"\(Markup.escaped(stem)).jpg\">Picture (JPEG)</a></li>"
            ]
            if let text = receipt.text {
                links.append(
                    link("Text", stem + ".txt", Markup.dataURI(Array(text.string.utf8), type: "text/plain")))
            }
            links.append(
                link(
                    "Report (JSON)", stem + ".json",
                    Markup.dataURI(try report.json(), type: "application/json")))
            if let contact = receipt.findings.contact, !contact.isEmpty {
                let card = Array(VCard.text(of: contact).utf8)
                links.append(link("Contact (vCard)", stem + ".vcf", Markup.dataURI(card, type: "text/vcard")))
            }
            return "<section id=\"downloads\"><h2>Downloads</h2><ul>\(links.joined())</ul></section>"
        }

        // MARK: Words and numbers

        private static func points(_ polygon: [[Double]]) -> String {
            polygon.map { $0.map(number).joined(separator: ",") }.joined(separator: " ")
        }

        /// Formats a number to a tenth; SVG does not allow NaN.
        private static func number(_ value: Double) -> String {
            value.isFinite ? "\((value * 10).rounded() / 10)" : "0"
        }

        private static func percent(_ share: Double) -> String { "\(Int((share * 100).rounded())) %" }

        private static func words(for method: FlatteningMethod) -> String {
            switch method {
            case .plane: "unrolled from a plane fitted to depth"
            case .cylinder: "unrolled from a curved surface fitted to depth"
            case .freeform: "unrolled from a free surface fitted to depth"
            case .edges: "unrolled by its curved sides"
            case .corners: "straightened by its corners"
            case .scan: "a scan: the picture is the sheet"
            case .angle: "levelled by its printed lines"
            case .unchanged: "only turned upright"
            }
        }
    }

    /// The mesh as the page's script takes it, in hundredths of a millimetre around its middle, with y up and z towards
    /// the viewer.
    private struct MeshData: Encodable {
        var columns: Int
        var rows: Int
        var width: Double
        var height: Double
        /// Three for each vertex; null where the sheet is not seen.
        var curved: [Int?]
        /// One for each vertex.
        var residuals: [Int?]
        /// The end of the colour scale, in millimetres.
        var range: Double

        init(_ mesh: FittedSheetMesh) {
            columns = mesh.columns
            rows = mesh.rows
            width = mesh.millimeters.x
            height = mesh.millimeters.y
            let seen = mesh.points.compactMap(\.self)
            let middle = seen.reduce(SIMD3<Double>.zero, +) / Double(max(seen.count, 1))
            curved = mesh.points.flatMap { point -> [Int?] in
                guard let point else { return [nil, nil, nil] }
                let place = (point - middle) * SIMD3(1, -1, -1) * 100_000
                return [place.x, place.y, place.z].map { Int($0.rounded()) }
            }
            let known = mesh.residuals.compactMap(\.self)
            // Wild readings beyond nine tenths of all may saturate the scale.
            let sorted = known.map(abs).sorted()
            let high = sorted.isEmpty ? 1 : sorted[(sorted.count - 1) * 9 / 10]
            range = (max(high, 0.1) * 10).rounded() / 10
            residuals = mesh.residuals.map { $0.map { Int(($0 * 100).rounded()) } }
        }
    }
}

extension Raster where Element == RGB {
    /// Returns the image, made smaller if necessary so that neither side is longer than this.
    package func bounded(_ longest: Int) -> RGBImage {
        let factor = Double(Swift.max(width, height)) / Double(longest)
        guard factor > 1 else { return self }
        // Means first, so that interpolation has to reduce by less than two to one.
        let step = Int(factor)
        let reduced = step > 1 ? blockMeans(step) : self
        let size = PixelSize(
            width: Swift.max(1, Int(Double(width) / factor)),
            height: Swift.max(1, Int(Double(height) / factor)))
        let scale = SIMD2(
            Double(reduced.width) / Double(size.width), Double(reduced.height) / Double(size.height))
        return reduced.resampled(
            through: SamplingMap(outputSize: size, spacing: 16) { ($0 + 0.5) * scale - 0.5 }, filter: .bicubic
        )
    }
}
