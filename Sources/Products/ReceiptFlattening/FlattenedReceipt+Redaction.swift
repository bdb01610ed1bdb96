public import Documents
import Diagnostics
public import Imaging
import TextRecognition

extension FlattenedReceipt {
    /// Returns the same receipt without personal data. What holds such data is black in the picture and asterisks in the
    /// text; fields, items and contact are extracted again from the remaining text; and hidden codes, zones and faces are
    /// removed from the findings.
    ///
    /// Names, numbers and mail addresses are hidden wherever they occur; with `.names` a contact has no names. The blackened
    /// picture is read again by the same engine, and searched again: hidden data that it still shows is blackened too.
    /// `report.redaction` counts what was hidden, and states whether none of it was seen any more.
    ///
    /// Only what was read or found is hidden; see `RecognizedText.redacted(_:)`. The photograph, and a point cloud coloured
    /// by it, still show everything.
    /// - Parameters:
    ///   - kinds: the kinds of personal data to hide.
    ///   - areas: further parts to hide, in pixels of `picture`. They are blackened, and the words, codes, faces and zones
    ///     that they touch are hidden whole. The same words elsewhere stay visible.
    /// - Returns: nil if the data needed for one of the kinds is missing: text was not read, or faces, zones or codes were
    ///   not among `ReceiptFlattener.Options.finds`. Also nil for an area whose edges are not finite.
    /// - Complexity: linear in the words and in the pixels; the text is read once more, at most three times.
    public func redacted(_ kinds: Set<PersonalData>, areas: [Box] = []) -> FlattenedReceipt? {
        guard areas.allSatisfy(\.isFinite) else { return nil }
        guard findings.sought.isSuperset(of: kinds.compactMap(\.content)) else { return nil }
        guard text != nil || kinds.allSatisfy({ $0.content != nil }) else { return nil }
        let (open, known, ownUnplaced) = findings.hiding(kinds, areas: areas)
        let redaction = text?.redacted(kinds, hiding: known)
        let hidden = redaction?.hidden ?? known
        let (left, codes, codesUnplaced) = open.hidingCodes(thatSay: hidden)
        let unplaced = ownUnplaced + codesUnplaced
        let fields = redaction.map { ReceiptFields(of: $0.text, context: context) }
        let rest = left.withText(redaction?.text, isNameless: kinds.contains(.names), context: context)
        var report = report
        let map = report.isJoined ? .withoutSource(map.outputSize) : map
        let pixelsPerMillimeter = pixelsPerMeter.map { $0 / 1000 }
        report.fields = fields.map { .init($0, map: map, pixelsPerMillimeter: pixelsPerMillimeter) }
        // Whatever an area touches is blackened with a margin; the area itself exactly to its edges.
        let touched = known[.areas]?.boxes.dropFirst(areas.count) ?? []
        let found = known.filter { $0.key != .areas }.values.flatMap(\.boxes) + touched
        let (blackened, seen) = picture.blackening(areas, rim: 0).blackening(
            found + (redaction?.boxes ?? []) + codes
        )
        .blackeningUntilUnseen { findings.stillSeen(of: kinds, in: $0) }
        // Uses the engine that read the text: another one may not know its letters, and would not see what is left of it.
        let engine = reading.engine
        let reader = engine.map { engine in (try? engine.reader(of: text)) ?? engine }
        var (unread, read) = blackened.blackeningUntilUnread(hidden, reader: reader)
        // Where two engines read the sheet, neither may see anything.
        if text?.otherReadings != nil {
            let own = unread.blackeningUntilUnread(hidden, reader: engine?.ofLatinLetters)
            unread = own.picture
            read.counts.merge(own.read.counts, uniquingKeysWith: +)
            read.left.formUnion(own.read.left)
            read.isIncomplete = read.isIncomplete || own.read.isIncomplete
        }
        if seen.isIncomplete || read.isIncomplete {
            report.warnings.append(
                "the redacted picture could not be searched again: look at it before you pass it on")
        }
        if !seen.boxes.isEmpty || seen.unplaced > 0 {
            report.warnings.append(
                "\(seen.boxes.count + seen.unplaced) of the codes, faces and zones can still be made out in the redacted picture: look at it before you pass it on"
            )
        }
        if !read.left.isEmpty {
            report.warnings.append(
                "\(read.left.map(\.rawValue).sorted().joined(separator: ", ")): some can still be read in the redacted picture: look at it before you pass it on"
            )
        }
        // A document with a zone also prints its holder's name and number elsewhere.
        let isZoneAlone = known[.mrz] != nil && redaction?.counts[.mrz] == nil
        if isZoneAlone {
            report.warnings.append(
                "nothing that the machine-readable zone says was read elsewhere on the sheet: look at the redacted picture before you pass it on"
            )
        }
        if unplaced > 0 {
            report.warnings.append(
                "\(unplaced) of the codes and faces could not be placed on the flat image: if it shows them, they are not blacked out"
            )
        }
        if kinds.contains(.codes), let missing = findings.codesNotSought, !missing.isEmpty {
            report.warnings.append(
                "codes of the kinds \(missing.map(\.rawValue).joined(separator: ", ")) were not looked for, and are not blacked out: install ZXing-C++ 2.3 or newer, or look at the redacted picture"
            )
        }
        var counts = known.mapValues(\.boxes.count)
        if !areas.isEmpty { counts[.areas] = areas.count }
        counts.merge(redaction?.counts ?? [:], uniquingKeysWith: +)
        counts.merge(read.counts, uniquingKeysWith: +)
        if !codes.isEmpty { counts[.codes, default: 0] += codes.count }
        report.redaction = .init(
            kinds: areas.isEmpty ? kinds : kinds.union([.areas]), counts: counts,
            verified: !seen.isIncomplete && seen.boxes.isEmpty && seen.unplaced == 0 && unplaced == 0
                && !read.isIncomplete && read.left.isEmpty && !isZoneAlone)
        report.fill(with: rest, map: map, pixelsPerMillimeter: pixelsPerMillimeter)
        return FlattenedReceipt(
            picture: unread, outline: outline,
            plane: plane, surface: surface,
            reading: PageReading(text: redaction?.text, fields: fields, findings: rest, engine: engine),
            report: report, context: context, hidden: hidden,
            shown: read.left.union(seen.kinds).union(isZoneAlone ? [.mrz] : []))
    }
}

extension FlatImage {
    /// Searches the picture again and again, and blackens what is still seen.
    /// - Parameter look: returns what is seen in a picture.
    /// - Returns: the picture, and what is still seen in it.
    func blackeningUntilUnseen(_ look: (FlatImage) -> SheetFindings.SecondLook) -> (
        picture: FlatImage, seen: SheetFindings.SecondLook
    ) {
        var picture = self
        var seen = look(picture)
        for _ in 0..<Self.looks where !seen.boxes.isEmpty {
            picture = picture.blackening(seen.boxes)
            seen = look(picture)
        }
        return (picture, seen)
    }

    /// The most rounds of blackening: a tall code is read by one band after another.
    private static let looks = 4

    /// The result of reading a blackened picture again.
    struct SecondReading {
        /// How often more of each kind was hidden.
        var counts: [PersonalData: Int] = [:]
        /// The kinds that can still be read in part.
        var left: Set<PersonalData> = []
        /// Whether the picture could not be read.
        var isIncomplete = false
    }

    /// Reads the picture and blackens any hidden data that can still be read, until none is left.
    func blackeningUntilUnread(
        _ hidden: [PersonalData: HiddenContent], reader: (any TextEngine)?
    ) -> (picture: FlatImage, read: SecondReading) {
        var picture = self
        var read = SecondReading()
        // Data hidden only by areas may appear elsewhere.
        guard let reader, hidden.keys.contains(where: { $0 != .areas }) else { return (picture, read) }
        for look in 0...Self.furtherReadings {
            let page = TextPage(
                picture.render().gray(), pixelsPerMillimeter: pixelsPerMeter.map { $0 / 1000 })
            do throws(FlatteningError) {
                let places = hidden.places(in: try TextRecognizer(engine: reader).recognize(page))
                read.left = Set(places.map(\.kind))
                guard !places.isEmpty, look < Self.furtherReadings else { break }
                for place in places {
                    read.counts[place.kind, default: 0] += 1
                    picture = picture.blackening(place.boxes)
                }
            } catch {
                read.isIncomplete = true
                break
            }
        }
        return (picture, read)
    }

    /// Further readings of a blackened picture after the first, each after more was blackened.
    private static let furtherReadings = 2
}
