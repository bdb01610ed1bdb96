import ReceiptFlattening

/// The outlines that are found in a folder's photographs, held against what was marked there.
struct OutlineScore {
    /// What an outline has in common with a sheet that it fits: more than half, so that it fits one of two sheets side by
    /// side at most.
    private static let leastOverlap = 0.5
    /// An outline that is good: one that stops a tenth of the sheet short is not.
    private static let goodOverlap = 0.9
    /// An outline that has found its sheet.
    private static let foundOverlap = 0.85
    /// From here on an outline counts as a sheet that was seen: below one half the command says that it is unsure.
    private static let leastConfidence = 0.5

    private let folder: MarkedPhotographs
    /// For each marked sheet its overlap with the outline that fits it best; 0 where no outline was found.
    private let overlaps: [Double]
    /// Outlines that fit no marked sheet.
    private let strays: Int
    /// Photographs with an outline that counts.
    private let sightings: Int

    /// O(pixels of all photographs).
    init(_ folder: MarkedPhotographs, report: (String) -> Void) throws {
        var overlaps: [Double] = []
        var (strays, sightings) = (0, 0)
        for (index, photograph) in folder.photographs.enumerated() {
            let outlines = try SheetFlattener().flattenAll(Capture(contentsOf: photograph.file))
                .compactMap(\.outline)
            let found = outlines.map(SheetMask.init(outline:))
            let sheets = photograph.sheets.map(SheetMask.init(border:))
            let best = sheets.map { sheet in found.map(sheet.overlap(with:)).max() ?? 0 }
            report(
                "\(folder.name), \(index + 1) of \(folder.photographs.count): \(found.count) outlines, sheets "
                    + best.map(Markdown.number).joined(separator: " "))
            overlaps += best
            strays += found.count { outline in
                !sheets.contains { outline.overlap(with: $0) > Self.leastOverlap }
            }
            sightings += outlines.contains { $0.confidence >= Self.leastConfidence } ? 1 : 0
        }
        (self.folder, self.overlaps, self.strays, self.sightings) = (folder, overlaps, strays, sightings)
    }

    /// The results' section in paragraphs; none where no folder was given.
    static func paragraphs(_ scores: [OutlineScore]) -> [String] {
        guard !scores.isEmpty else { return [] }
        let marked = scores.filter(\.folder.showSheets)
        let empty = scores.filter { !$0.folder.showSheets }
        var paragraphs = ["## Outlines of real photographs"]
        if !marked.isEmpty {
            paragraphs.append(
                """
                Photographs with the borders of their sheets marked. Each sheet counts with the outline that fits it best, by
                their intersection over union (IoU), and with 0 where none was found. An outline fits no sheet if its IoU with
                each is at most \(leastOverlap).
                """)
            paragraphs.append(
                Markdown.table(
                    [
                        "folder", "photographs", "sheets", "mean IoU", "share >= \(goodOverlap)",
                        "share >= \(foundOverlap)",
                        "worst", "outlines that fit no sheet",
                    ], marked.map(\.cells)))
        }
        if !empty.isEmpty {
            paragraphs.append(
                "Photographs without a sheet: how many have an outline of confidence \(leastConfidence) or more."
            )
            paragraphs.append(
                Markdown.table(
                    ["folder", "photographs", "share with such an outline"],
                    empty.map { score in
                        let count = score.folder.photographs.count
                        return [
                            score.folder.name, "\(count)",
                            Markdown.number(Double(score.sightings) / Double(count)),
                        ]
                    }))
        }
        return paragraphs
    }

    private var cells: [String] {
        func share(atLeast overlap: Double) -> Double {
            Double(overlaps.count { $0 >= overlap }) / Double(overlaps.count)
        }
        let values = [
            overlaps.reduce(0, +) / Double(overlaps.count), share(atLeast: Self.goodOverlap),
            share(atLeast: Self.foundOverlap),
            overlaps.min() ?? .nan,
        ]
        return [folder.name, "\(folder.photographs.count)", "\(overlaps.count)"]
            + values.map(Markdown.number) + ["\(strays)"]
    }
}
