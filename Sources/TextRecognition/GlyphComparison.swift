import Foundation
import Imaging

/// Holds the characters of one page against each other: the same printer sets each letter the same way every time.
///
/// tesseract may take a narrow 1 for a 4 in one row and not in the next. Both look alike on paper, and quite unlike the
/// other 4s: then the neighbours in shape decide. Each printed cell is a small picture, compared by normalised correlation
/// over small shifts; the nearest cells vote with what was read in them. (Adaptive matching within a document as in Hong &
/// Hull, "Improving OCR performance with word image equivalence", 1995, for single characters.)
struct GlyphComparison {
    /// A printed cell.
    private struct Glyph {
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

    private static let columns = 12
    private static let lines = 18
    private static let size = columns * lines
    /// Cells less alike than this are different characters.
    private static let leastLikeness: Float = 0.85
    /// Cells of one page that are compared at most; a receipt of 80 full rows has fewer.
    private static let mostGlyphs = 2500

    /// Replaces what the readings say of a cell where cells of the same shape agree on something else.
    static func settle(_ votes: inout [CellVotes?], rows: [PrintedRow], ink: Ink) {
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
                        middle: ((box.top + box.bottom) / 2 - rows[row].middle(at: (box.left + box.right) / 2))
                            / height,
                        shares: shares, winner: best.key, share: best.value))
            }
        }
        guard glyphs.count >= 8, glyphs.count <= mostGlyphs else { return }
        let likeness = Likeness(glyphs: glyphs, pictures: pictures)

        // How alike the cells of one character are on this page: a stranger has to be as alike as the least of them.
        var own: [String: [Float]] = [:]
        for index in glyphs.indices {
            if let like = likeness.toCharacter(glyphs[index].winner, of: index, glyphs) {
                own[glyphs[index].winner, default: []].append(like)
            }
        }
        let usual = own.mapValues { $0.sorted()[$0.count / 4] }

        var changes: [(row: Int, cell: Int, text: String)] = []
        for (index, glyph) in glyphs.enumerated() {
            let neighbors = likeness.neighbors[index].prefix(7)
            guard neighbors.count >= 2 else { continue }
            var belief: [String: Double] = [:]
            var total = 0.0
            for neighbor in neighbors {
                let weight = Double(neighbor.likeness - leastLikeness) + 0.01
                for (text, share) in glyphs[neighbor.index].shares {
                    belief[text, default: 0] += weight * share
                }
                total += weight
            }
            guard total > 0 else { continue }
            let isSure = glyph.share > 0.9
            func score(_ text: String) -> Double {
                0.4 * (glyph.shares[text] ?? 0) + 0.6 * (belief[text] ?? 0) / total
            }
            let candidates = isSure ? Set(belief.keys) : Set(glyph.shares.keys)
            guard
                let best = candidates.filter({ !$0.isEmpty }).max(by: { (score($0), $1) < (score($1), $0) }),
                best != glyph.winner,
                let like = likeness.toCharacter(best, of: index, glyphs), like >= (usual[best] ?? 1) - 0.02
            else { continue }
            if isSure {
                // All readings agreed: only a clear likeness, and a clear unlikeness to its namesakes, overrules them.
                let namesakes = likeness.toCharacter(glyph.winner, of: index, glyphs)
                let hasNamesakes = glyphs.indices.contains {
                    $0 != index && glyphs[$0].winner == glyph.winner
                }
                guard hasNamesakes, (belief[best] ?? 0) / total > 0.75, neighbors.count >= 3,
                    like - (namesakes ?? 0) > 0.06 || (belief[best] ?? 0) / total > 0.9
                else { continue }
            }
            changes.append((glyph.row, glyph.cell, best))
        }
        for change in changes { votes[change.row]?.overrule(change.cell, with: change.text) }
    }

    /// The print of a cell around its middle, mean 0 and norm 1; nil for a cell that is all of one brightness.
    private static func picture(of box: TextBox, pitch: Double, letterHeight: Double, ink: Ink) -> [Float]? {
        let relief = ink.relief
        let stepX = 1.2 * pitch / Double(columns)
        let stepY = 1.6 * letterHeight / Double(lines)
        let middleX = (box.left + box.right - 1) / 2
        let middleY = (box.top + box.bottom - 1) / 2
        var picture = [Float](repeating: 0, count: size)
        for line in 0..<lines {
            let y = middleY + (Double(line) - Double(lines - 1) / 2) * stepY
            for column in 0..<columns {
                let x = middleX + (Double(column) - Double(columns - 1) / 2) * stepX
                // The neighbours' print stays out.
                guard x > box.left - 1.5, x < box.right + 0.5, y > box.top - 2, y < box.bottom + 1 else {
                    continue
                }
                let (i, j) = (Int(x.rounded(.down)), Int(y.rounded(.down)))
                guard i >= 0, j >= 0, i + 1 < relief.width, j + 1 < relief.height else { continue }
                let (s, t) = (Float(x - Double(i)), Float(y - Double(j)))
                let at = j * relief.width + i
                let top = Float(relief.elements[at]) * (1 - s) + Float(relief.elements[at + 1]) * s
                let low =
                    Float(relief.elements[at + relief.width]) * (1 - s)
                    + Float(relief.elements[at + relief.width + 1]) * s
                picture[line * columns + column] = abs(top * (1 - t) + low * t)
            }
        }
        let mean = picture.reduce(0, +) / Float(size)
        var norm: Float = 0
        for index in picture.indices {
            picture[index] -= mean
            norm += picture[index] * picture[index]
        }
        guard norm > 0 else { return nil }
        let scale = 1 / norm.squareRoot()
        for index in picture.indices { picture[index] *= scale }
        return picture
    }

    /// Who looks like whom.
    private struct Likeness {
        struct Neighbor {
            var index: Int
            var likeness: Float
        }
        /// For each cell the cells like it, the most alike first.
        let neighbors: [[Neighbor]]

        init(glyphs: [Glyph], pictures: [Float]) {
            var neighbors = [[Neighbor]](repeating: [], count: glyphs.count)
            pictures.withUnsafeBufferPointer { pictures in
                for a in glyphs.indices {
                    for b in (a + 1)..<max(glyphs.count, a + 1) {
                        guard abs(glyphs[a].width - glyphs[b].width) < 0.25,
                            abs(glyphs[a].height - glyphs[b].height) < 0.2,
                            abs(glyphs[a].middle - glyphs[b].middle) < 0.35
                        else { continue }
                        let likeness = Self.correlation(pictures, a * size, b * size)
                        guard likeness > leastLikeness else { continue }
                        neighbors[a].append(Neighbor(index: b, likeness: likeness))
                        neighbors[b].append(Neighbor(index: a, likeness: likeness))
                    }
                }
            }
            self.neighbors = neighbors.map { list in
                list.sorted { ($0.likeness, $1.index) > ($1.likeness, $0.index) }
            }
        }

        /// How alike a cell is to the two most alike of a character's other cells; nil if there are none alike.
        func toCharacter(_ text: String, of index: Int, _ glyphs: [Glyph]) -> Float? {
            let best = neighbors[index].lazy.filter { glyphs[$0.index].winner == text }.prefix(2).map(
                \.likeness)
            let found = Array(best)
            return found.isEmpty ? nil : found.reduce(0, +) / Float(found.count)
        }

        /// The largest correlation over shifts by one sample each way.
        private static func correlation(_ pictures: UnsafeBufferPointer<Float>, _ a: Int, _ b: Int) -> Float {
            var best: Float = -1
            for dy in -1...1 {
                for dx in -1...1 {
                    let shift = dy * columns + dx
                    // What a shift moves past the rim is blank in both; the wrapped samples are blank too.
                    let from = max(0, -shift)
                    let to = min(size, size - shift)
                    var sum: Float = 0
                    for index in from..<to { sum += pictures[a + index] * pictures[b + index + shift] }
                    best = max(best, sum)
                }
            }
            return best
        }
    }
}
