/// A PDF of a few pages, put together line by line (ISO 32000-1): text in Helvetica, and pictures of one grey.
package struct HandmadePDF {
    /// A page.
    package struct Page {
        /// Width and height in points.
        package var size = (227, 340)
        /// The crop box, if it is another.
        package var cropBox: [Int]?
        package var rotation = 0
        /// What is drawn; see `text(_:)`.
        package var content: String
        /// The places of grey pictures of 100 x 100 pixels: left, bottom, width, height in points.
        package var pictures: [[Int]] = []

        package init(
            _ content: String, size: (Int, Int) = (227, 340), cropBox: [Int]? = nil, rotation: Int = 0,
            pictures: [[Int]] = []
        ) {
            (self.content, self.size, self.cropBox) = (content, size, cropBox)
            (self.rotation, self.pictures) = (rotation, pictures)
        }

        /// Rows of text in 10 points from a place 28 points from the left and 40 from the top, 20 apart.
        package static func text(_ rows: [String], height: Int = 340) -> String {
            rows.enumerated().map { index, row in
                "BT /F1 10 Tf 28 \(height - 40 - 20 * index) Td (\(row)) Tj ET\n"
            }.joined()
        }
    }

    package var pages: [Page]
    /// How many pages the tree says that it has; as many as there are if nil.
    package var statedCount: Int?

    package init(_ pages: [Page]) { self.pages = pages }

    package var bytes: [UInt8] {
        let kids = pages.indices.map { "\(5 + 2 * $0) 0 R" }.joined(separator: " ")
        let pixels = String(repeating: "80", count: 100 * 100)
        var objects = [
            "<< /Type /Catalog /Pages 2 0 R >>",
            "<< /Type /Pages /Kids [\(kids)] /Count \(statedCount ?? pages.count) >>",
            "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
            "<< /Type /XObject /Subtype /Image /Width 100 /Height 100 /ColorSpace /DeviceGray /BitsPerComponent 8 "
                + "/Filter /ASCIIHexDecode /Length \(pixels.count + 1) >>\nstream\n\(pixels)>\nendstream",
        ]
        for (index, page) in pages.enumerated() {
            let crop = page.cropBox.map { "/CropBox [\($0.map(String.init).joined(separator: " "))] " } ?? ""
            objects.append(
                "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 \(page.size.0) \(page.size.1)] \(crop)/Rotate \(page.rotation) "
                    + "/Resources << /Font << /F1 3 0 R >> /XObject << /I1 4 0 R >> >> /Contents \(6 + 2 * index) 0 R >>"
            )
            let pictures = page.pictures.map { place in
                "q \(place[2]) 0 0 \(place[3]) \(place[0]) \(place[1]) cm /I1 Do Q\n"
            }
            let content = pictures.joined() + page.content
            objects.append("<< /Length \(content.utf8.count) >>\nstream\n\(content)\nendstream")
        }
        var file = "%PDF-1.4\n"
        var places: [Int] = []
        for (index, object) in objects.enumerated() {
            places.append(file.utf8.count)
            file += "\(index + 1) 0 obj\n\(object)\nendobj\n"
        }
        let table = file.utf8.count
        file += "xref\n0 \(objects.count + 1)\n0000000000 65535 f \n"
        for place in places {
            let digits = String(place)
            file += String(repeating: "0", count: 10 - digits.count) + digits + " 00000 n \n"
        }
        file += "trailer\n<< /Size \(objects.count + 1) /Root 1 0 R >>\nstartxref\n\(table)\n%%EOF\n"
        return Array(file.utf8)
    }
}
