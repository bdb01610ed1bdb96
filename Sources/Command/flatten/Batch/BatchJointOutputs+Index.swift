import BatchProcessing
import Diagnostics
import Platform
import LocalFiles
import ReceiptOutputs

extension BatchJointOutputs {
    /// The path of the page that shows all captures.
    private var indexPath: String { batch.folder + "/" + BatchOutputs.index }

    /// `index.html`, if it is asked for.
    var indexOutputs: [OutputPlan.Named] { makesIndex ? [.init(option: "--page", path: indexPath)] : [] }

    /// Throws if `index.html` would replace a file that is not an index written by a batch, unless replacing it is asked for.
    func checkIndex() throws(FlatteningError) {
        guard makesIndex, !batch.replacesOthers,
            // The mark of a batch's index is in its first lines.
            let start = FileStart(path: indexPath, count: 1024),
            !String(decoding: start.bytes, as: UTF8.self).contains(Markup.indexGenerator)
        else { return }
        throw FlatteningError(
            .badInput, "the file is no index that a batch wrote", file: indexPath, stage: .batch,
            advice: "Move it away, or give --force if it is to be replaced")
    }

    /// Writes the page of all captures from the cards that the workers left.
    func writeIndex(_ joined: JoinedPages, _ console: Console) throws(FlatteningError) {
        console.progress("writing \(indexPath)")
        var gallery = Gallery()
        for (index, job) in batch.jobs.enumerated() {
            switch outcome(index, .indexPart, SheetParts.cards) {
            case .success(let cards):
                for (number, card) in (joined.cards[index].map { [$0] } ?? cards).enumerated() {
                    func file(_ kind: OutputKind) -> String {
                        let name = job.name + kind.suffix
                        return job.numbersOutputs ? NumberedPath.numbered(name, number + 1) : name
                    }
                    gallery.add(
                        card, name: job.numbersOutputs ? "\(job.name)-\(number + 1)" : job.name,
                        page: file(.page), thumbnail: file(.thumbnail))
                }
            case .failure(let reason): gallery.add(failure: reason.words, name: job.name)
            }
        }
        try AtomicFile.replace(indexPath, with: Array(gallery.html.utf8))
    }
}
