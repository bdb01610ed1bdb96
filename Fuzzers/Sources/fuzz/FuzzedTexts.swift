@testable import Captures
@testable import Documents
import Foundation
@testable import LocalFiles
@testable import ReceiptOutputs
@testable import TextFormats
@testable import TextRecognition

/// Strangers' text where it is written, and the names that they give.
enum FuzzedTexts {
    /// No name of a capture's description leads out of its folder.
    static func readCapture(_ bytes: [UInt8]) {
        let file = InputFile(name: "capture.json", bytes: bytes)
        guard let capture = try? CaptureDescription.parse(file, folder: "fuzz") else { return }
        for path in [capture.imagePath, capture.depth?.path, capture.confidencePath].compactMap(\.self) {
            let parts = Array(path.utf8).split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            precondition(
                parts.count > 1 && parts[0].elementsEqual("fuzz".utf8)
                    && !parts.contains { $0.isEmpty || $0.elementsEqual("..".utf8) || $0.contains(0) },
                "a name leads out of the folder: \(path.debugDescription)")
        }
    }

    /// What each line of a model's list stands for.
    static func readAlphabet(_ text: String) {
        let characters = text.split(whereSeparator: \.isNewline)
        guard (try? OnnxNetwork.check(characters: characters, file: "fuzz.onnx")) != nil else { return }
        for languages in [["eng"], ["deu", "fra"], ["jpn"]] {
            let alphabet = LineAlphabet(
                characters: characters.map(String.init), classes: characters.count + 2, languages: languages)
            precondition(alphabet?.signs.count == characters.count + 2, "as many signs as classes")
        }
    }

    /// A row of cells, parted by zero bytes, is read back with as many cells, none of them a formula.
    static func writeCells(_ bytes: [UInt8]) {
        let cells = bytes.split(separator: 0, omittingEmptySubsequences: false).map {
            String(decoding: $0, as: UTF8.self)
        }
        var rest = Array(CSVTable.row(cells).utf8)[...]
        var read: [[UInt8]] = [[]]
        var isQuoted = false
        precondition(
            rest.suffix(2).elementsEqual([0x0D, 0x0A]) && rest.count { $0 < 0x20 } == 2, "a row is a line")
        rest = rest.dropLast(2)
        while let byte = rest.popFirst() {
            switch byte {
            case 0x22 where isQuoted && rest.first == 0x22:
                rest.removeFirst()
                read[read.count - 1].append(0x22)
            case 0x22:
                precondition(
                    isQuoted || read[read.count - 1].isEmpty, "a quotation mark in the middle of a cell")
                isQuoted.toggle()
                precondition(
                    isQuoted || rest.isEmpty || rest.first == 0x2C, "something follows a closed cell")
            case 0x2C where !isQuoted: read.append([])
            default: read[read.count - 1].append(byte)
            }
        }
        precondition(!isQuoted && read.count == cells.count, "\(read.count) cells of \(cells.count)")
        for (cell, written) in zip(read, cells) {
            let cell = String(decoding: cell, as: UTF8.self)
            let first = cell.unicodeScalars.first { !$0.properties.isWhitespace }
            let isNumber = cell.utf8.dropFirst().allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E }
            precondition(!(first.map("=+-@".unicodeScalars.contains) ?? false) || isNumber, "a formula")
            let plain = String.UnicodeScalarView(
                written.unicodeScalars.map {
                    [.control, .lineSeparator, .paragraphSeparator].contains($0.properties.generalCategory)
                        ? " " : $0
                })
            precondition(
                cell.utf8.elementsEqual(String(plain).utf8)
                    || cell.utf8.elementsEqual(("'" + String(plain)).utf8),
                "another cell")
        }
    }

    /// A value of a card adds no line and no component.
    static func writeCard(_ text: String) {
        func card(_ text: String, _ version: VCard.Version) -> [[UInt8]] {
            var contact = Contact()
            contact.names = [.init(.init(full: text, given: text, family: text))]
            contact.organisation = .init(text)
            contact.phones = [.init(.init(number: "x" + text))]
            contact.urls = [.init(text)]
            contact.address = .init(.init(full: text, street: text, locality: text))
            let folded = VCard.text(of: contact, version: version)
            precondition(folded.utf8.count { $0 < 0x20 } % 2 == 0, "nothing but CR LF")
            var lines: [[UInt8]] = []
            for line in Array(folded.utf8).split(separator: 0x0A) {
                precondition(line.last == 0x0D && line.count <= 76, "a line of 75 octets")
                let content = line.dropLast()
                if content.first == 0x20 {
                    lines[lines.count - 1] += content.dropFirst()
                } else {
                    lines.append(Array(content))
                }
            }
            return lines
        }
        /// What stands before the value, and how many components it has.
        func shape(_ lines: [[UInt8]]) -> [[UInt8]] {
            lines.map { line in
                let head = Array(line.prefix { $0 != UInt8(ascii: ":") })
                guard !head.starts(with: "URL".utf8) else { return head }
                var (count, isMarked) = (UInt8(0), false)
                for byte in line.dropFirst(head.count) {
                    if byte == UInt8(ascii: ";"), !isMarked { count += 1 }
                    isMarked = byte == UInt8(ascii: "\\") && !isMarked
                }
                return head + [count]
            }
        }
        for version in VCard.Version.allCases {
            precondition(shape(card(text, version)) == shape(card("a", version)), "a value adds to the card")
        }
    }

    /// Escaped text has no mark of markup; data of a script decode to what they were.
    static func writeMarkup(_ text: String) {
        for escaped in [Markup.escaped(text), escapedForXML(text)] {
            precondition(!escaped.utf8.contains { "<>\"'".utf8.contains($0) }, "a mark of markup")
            for part in escaped.utf8.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
                .dropFirst()
            {
                let isEntity = ["amp;", "lt;", "gt;", "quot;", "#39;"].contains { part.starts(with: $0.utf8) }
                precondition(isEntity, "an ampersand alone")
            }
            let allowed = escaped.unicodeScalars.allSatisfy { $0.value >= 0x20 || $0 == "\t" || $0 == "\n" }
            precondition(allowed, "a control")
        }
        let data = Markup.scriptData([text])
        precondition(!data.utf8.contains { "<>&".utf8.contains($0) }, "data may end their script")
        let read = try? JSONDecoder().decode([String].self, from: Data(data.utf8))
        precondition(read?.first?.utf8.elementsEqual(text.utf8) == true, "other data")
        precondition(
            linkTo(text).utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"<>\"'&:".utf8.contains($0) }, "a link")
    }
}
