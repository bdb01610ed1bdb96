import Imaging
import TextRecognition

/// What is taken from another reading of the same page.
extension ReceiptFields {
    /// Leaves out the names of a reading in whose place a text has surer words: letters of another script that look like
    /// Latin ones. Items are left out together, since a part of them adds up to nothing.
    mutating func leaveOutNames(of reading: RecognizedText, surerIn text: RecognizedText) {
        func isSurer(in box: Box) -> Bool {
            let letters = text.words(in: box).filter { OtherScripts.hasOtherLetters($0.text) }
            return RecognizedText.meanConfidence(of: letters)
                > RecognizedText.meanConfidence(of: reading.words(in: box))
        }
        if let box = merchant?.box, isSurer(in: box) { merchant = nil }
        if let box = address?.box, isSurer(in: box) { address = nil }
        if items.contains(where: { isSurer(in: $0.box) }) { items = [] }
    }

    /// Takes each value that is surer in another reading of the page, and what is missing here. Currency and country follow from
    /// words all over the page, so they are taken only where they are missing; the language of another reading is that of
    /// words that look like others, and chain and category follow from the seller.
    mutating func takeSurer(of other: ReceiptFields) {
        func take<Value>(_ path: WritableKeyPath<ReceiptFields, Field<Value>?>, _ name: ReceiptFieldName) {
            guard let theirs = other[keyPath: path] else { return }
            if let ours = self[keyPath: path] {
                guard !name.isConcluded, theirs.confidence > ours.confidence else { return }
            }
            self[keyPath: path] = theirs
            ambiguous[name.key] = other.ambiguous[name.key]
        }
        for name in ReceiptFieldName.allCases where ![.language, .brand, .category].contains(name) {
            switch name.property {
            case .text(let path): take(path, name)
            case .amount(let path): take(path, name)
            }
        }
        if items.isEmpty { items = other.items }
        if taxLines.isEmpty { taxLines = other.taxLines }
        if payments.isEmpty { payments = other.payments }
    }
}

extension RecognizedText {
    /// The words whose middle lies in a box.
    fileprivate func words(in box: Box) -> [RecognizedWord] {
        words.filter {
            (box.left...box.right).contains($0.box.centerX)
                && (box.top...box.bottom).contains($0.box.centerY)
        }
    }
}
