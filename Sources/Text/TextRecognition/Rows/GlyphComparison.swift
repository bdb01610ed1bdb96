import PrintDetection
import Platform
import Imaging
import Parallelism
import RobustStatistics

/// Compares the characters of one page with each other: the same printer sets each letter the same way every time.
///
/// tesseract may take a narrow 1 for a 4 in one row and not in the next. Both look alike on paper, and quite unlike the
/// other 4s, so the neighbours in shape decide. Each printed cell is a small image, compared by normalised correlation
/// over small shifts; the most similar cells vote with what was read in them. (Adaptive matching within a document as
/// in Hong & Hull, "Improving OCR performance with word image equivalence", 1995, for single characters.)
struct GlyphComparison {
    /// A printed cell.
    private struct Glyph: Sendable {
        var row: Int
        var cell: Int
        var width: Double
        var height: Double
        var middle: Double
        /// What was read there, with shares that add up to 1.
        var shares: [String: Double]
        var winner: String
        var share: Double
    }

    private typealias Tuning = ReadingTuning.Glyphs

    private static let columns = 12
    private static let lines = 18
    private static let size = columns * lines
    /// Zeros before and after each image, as many as the greatest shift.
    private static let rim = columns + 1
    private static let stride = size + 2 * rim

    /// Replaces the result of the readings for a cell where cells of the same shape agree on something else.
    static func settle(_ votes: inout [CellVotes?], rows: [PrintedRow], ink: Ink) {
        let (glyphs, pictures) = glyphs(of: votes, rows: rows, ink: ink)
        guard glyphs.count >= Tuning.leastGlyphs, glyphs.count <= Tuning.mostGlyphs else { return }
        let likeness = Likeness(glyphs: glyphs, pictures: pictures)
        let usual = usualLikeness(of: glyphs, likeness)
        let changes = glyphs.indices.compactMap { index in
            successor(of: index, glyphs, likeness, usual: usual).map { (glyph: glyphs[index], text: $0) }
        }
        for change in changes { votes[change.glyph.row]?.overrule(change.glyph.cell, with: change.text) }
    }

    /// Returns the cells of the rows that keep to their pitch, and an image of each, one after the other.
    private static func glyphs(
        of votes: [CellVotes?], rows: [PrintedRow], ink: Ink
    ) -> (glyphs: [Glyph], pictures: [Float]) {
        var glyphs: [Glyph] = []
        var pictures: [Float] = []
        for (row, vote) in votes.enumerated() {
            guard let vote, vote.cells.isRegular, vote.readings > 0 else { continue }
            for cell in vote.cells.indices.indices {
                let shares = vote.shares(of: cell)
                guard let best = shares.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }) else { continue }
                let box = vote.cells.boxes[cell]
                let pitch = vote.cells.pitch.pitch
                let height = rows[row].letterHeight
                guard let picture = picture(of: box, pitch: pitch, letterHeight: height, ink: ink) else {
                    continue
                }
                pictures += picture
                glyphs.append(
                    Glyph(
                        row: row, cell: cell, width: box.width / pitch, height: box.height / height,
                        middle: (box.centerY - rows[row].middle(at: box.centerX)) / height,
                        shares: shares, winner: best.key, share: best.value))
            }
        }
        return (glyphs, pictures)
    }

    /// Returns how alike the cells of each character are on this page, at the lower quartile: a cell read as another
    /// character has to be about as alike.
    private static func usualLikeness(of glyphs: [Glyph], _ likeness: Likeness) -> [String: Float] {
        var own: [String: [Float]] = [:]
        for index in glyphs.indices {
            if let like = likeness.toCharacter(glyphs[index].winner, of: index, glyphs) {
                own[glyphs[index].winner, default: []].append(like)
            }
        }
        return own.mapValues { $0.ranked($0.count / 4) }
    }

    /// Returns the character that replaces what was read in a cell; nil if the reading stays.
    private static func successor(
        of index: Int, _ glyphs: [Glyph], _ likeness: Likeness, usual: [String: Float]
    ) -> String? {
        let glyph = glyphs[index]
        let neighbors = likeness.neighbors[index].prefix(Tuning.mostNeighbors)
        guard neighbors.count >= Tuning.leastNeighbors else { return nil }
        let (belief, total) = belief(of: neighbors, glyphs)
        guard total > 0 else { return nil }
        func score(_ text: String) -> Double {
            Tuning.weightOfReading * (glyph.shares[text] ?? 0)
                + Tuning.weightOfNeighbors * (belief[text] ?? 0) / total
        }
        let isSure = glyph.share > Tuning.sureShare
        let candidates = isSure ? Set(belief.keys) : Set(glyph.shares.keys)
        guard
            let best = candidates.filter({ !$0.isEmpty }).max(by: { (score($0), $1) < (score($1), $0) }),
            best != glyph.winner,
            let like = likeness.toCharacter(best, of: index, glyphs),
            like >= (usual[best] ?? 1) - Tuning.likenessTolerance
        else { return nil }
        guard isSure else { return best }
        // All readings agreed. They are overruled only by a clear likeness, together with a clear unlikeness to the
        // namesakes, the cells with the same reading.
        let namesakes = likeness.toCharacter(glyph.winner, of: index, glyphs)
        let hasNamesakes = glyphs.indices.contains { $0 != index && glyphs[$0].winner == glyph.winner }
        let agreement = (belief[best] ?? 0) / total
        let isClear =
            hasNamesakes && agreement > Tuning.clearAgreement && neighbors.count >= Tuning.leastClearNeighbors
            && (like - (namesakes ?? 0) > Tuning.clearUnlikeness || agreement > Tuning.fullAgreement)
        return isClear ? best : nil
    }

    /// Returns what was read in a cell's most similar neighbours, weighted by how alike they are, and the sum of the
    /// weights.
    private static func belief(
        of neighbors: ArraySlice<Likeness.Neighbor>, _ glyphs: [Glyph]
    ) -> (belief: [String: Double], total: Double) {
        var belief: [String: Double] = [:]
        var total = 0.0
        for neighbor in neighbors {
            let weight = Double(neighbor.likeness - Tuning.leastLikeness) + Tuning.leastWeight
            for (text, share) in glyphs[neighbor.index].shares {
                belief[text, default: 0] += weight * share
            }
            total += weight
        }
        return (belief, total)
    }

    /// Returns the print of a cell around its middle, with mean 0 and norm 1; nil for a cell of uniform brightness.
    private static func picture(of box: Box, pitch: Double, letterHeight: Double, ink: Ink) -> [Float]? {
        let relief = ink.relief
        let stepX = Tuning.pictureWidth * pitch / Double(columns)
        let stepY = Tuning.pictureHeight * letterHeight / Double(lines)
        let middleX = (box.left + box.right - 1) / 2
        let middleY = (box.top + box.bottom - 1) / 2
        var picture = [Float](repeating: 0, count: stride)
        for line in 0..<lines {
            let y = middleY + (Double(line) - Double(lines - 1) / 2) * stepY
            for column in 0..<columns {
                let x = middleX + (Double(column) - Double(columns - 1) / 2) * stepX
                // Leave out the neighbours' print.
                guard x > box.left - 1.5, x < box.right + 0.5, y > box.top - 2, y < box.bottom + 1 else {
                    continue
                }
                guard x >= 0, y >= 0, x < Double(relief.width - 1), y < Double(relief.height - 1) else {
                    continue
                }
                let cell = BilinearCell(
                    continuing: SIMD2(x, y), columns: relief.width, rows: relief.height)
                picture[rim + line * columns + column] = abs(cell.weighted { Float(relief.elements[$0]) })
            }
        }
        let mean = picture.reduce(0, +) / Float(size)
        var norm: Float = 0
        for index in rim..<rim + size {
            picture[index] -= mean
            norm += picture[index] * picture[index]
        }
        guard norm > 0 else { return nil }
        let scale = 1 / norm.squareRoot()
        for index in picture.indices { picture[index] *= scale }
        return picture
    }

    /// Which cells look alike.
    private struct Likeness {
        struct Neighbor {
            var index: Int
            var likeness: Float
        }
        /// For each cell, the cells like it, the most similar first.
        let neighbors: [[Neighbor]]

        init(glyphs: [Glyph], pictures: [Float]) {
            let likenesses = concurrentMap(Array(glyphs.indices)) { a in
                pictures.withUnsafeBytes { pictures in
                    (a + 1..<max(glyphs.count, a + 1)).compactMap { b -> Neighbor? in
                        guard abs(glyphs[a].width - glyphs[b].width) < Tuning.widthTolerance,
                            abs(glyphs[a].height - glyphs[b].height) < Tuning.heightTolerance,
                            abs(glyphs[a].middle - glyphs[b].middle) < Tuning.middleTolerance
                        else { return nil }
                        let likeness = Self.correlation(pictures, a, b)
                        return likeness > Tuning.leastLikeness ? Neighbor(index: b, likeness: likeness) : nil
                    }
                }
            }
            var neighbors = likenesses
            for (a, list) in likenesses.enumerated() {
                for neighbor in list {
                    neighbors[neighbor.index].append(Neighbor(index: a, likeness: neighbor.likeness))
                }
            }
            self.neighbors = neighbors.map { list in
                list.sorted { ($0.likeness, $1.index) > ($1.likeness, $0.index) }
            }
        }

        /// Returns the mean likeness of a cell to the two most similar other cells of a character; nil if none is
        /// alike.
        func toCharacter(_ text: String, of index: Int, _ glyphs: [Glyph]) -> Float? {
            let best = neighbors[index].lazy.filter { glyphs[$0.index].winner == text }.prefix(2).map(
                \.likeness)
            let found = Array(best)
            return found.isEmpty ? nil : found.reduce(0, +) / Float(found.count)
        }

        /// The largest correlation over shifts by one sample each way.
        private static func correlation(_ pictures: UnsafeRawBufferPointer, _ a: Int, _ b: Int) -> Float {
            // Eight samples at once: an image has 27 times as many.
            typealias Lanes = SIMD8<Float>
            let bytes = MemoryLayout<Float>.stride
            var best: Float = -1
            for dy in -1...1 {
                for dx in -1...1 {
                    // Samples that a shift moves past the rim are blank in both images; the samples that wrap around
                    // are blank too.
                    let first = (a * stride + rim) * bytes
                    let second = (b * stride + rim + dy * columns + dx) * bytes
                    var sum = Lanes.zero
                    for offset in Swift.stride(from: 0, to: size * bytes, by: Lanes.scalarCount * bytes) {
                        sum +=
                            pictures.loadUnaligned(fromByteOffset: first + offset, as: Lanes.self)
                            * pictures.loadUnaligned(fromByteOffset: second + offset, as: Lanes.self)
                    }
                    best = max(best, sum.sum())
                }
            }
            return best
        }
    }
}
