import Diagnostics
import Platform
public import Documents
import Imaging
import TextRecognition

/// What was looked for on a sheet, and what was found. Places are in pixels of the flat image.
public struct SheetFindings: Sendable {
    /// The contents that were looked for. The properties of all others are nil.
    public let sought: Set<SheetContent>
    /// The machine-readable zone of a passport, visa or identity card; nil if none was found.
    public private(set) var mrz: RecognizedZone?

    /// The codes; nil if none were looked for.
    public private(set) var codes: [SheetCode]?
    /// The symbologies that were not looked for because no available library reads them; nil if no codes were looked for.
    public private(set) var codesNotSought: [SheetCode.Symbology]?
    /// Whether codes were looked for in only some rows and columns of the image, because it is too dense.
    private(set) var areCodesPartial = false
    /// The faces; nil if none were looked for.
    public private(set) var faces: [SheetFace]?
    /// The kind of document; nil if that was not looked for.
    public private(set) var document: DocumentClassification?
    /// Links, mail addresses, telephone numbers, dates, times, prices, addresses, flight and parcel numbers, in reading
    /// order.
    public private(set) var items: [RecognizedItem]?
    /// The contents of a business card.
    public private(set) var contact: Contact?

    /// Nothing was looked for.
    static let none = SheetFindings(sought: [])

    private init(sought: Set<SheetContent>) { self.sought = sought }

    /// Looks for contents on a sheet.
    /// - Parameters:
    ///   - scale: pixels of the shown flat image per pixel of the view.
    ///   - context: what is known about a receipt besides its print.
    ///   - deadline: checked before each kind of content.
    /// - Throws: `.missingDependency` for a kind of content whose library is not installed, `.timeout`, `.cancelled`.
    init(
        of sought: Set<SheetContent>, in view: SheetView, scale: Double, context: ReceiptContext,
        until deadline: Deadline
    ) throws(FlatteningError) {
        self.sought = sought
        func check(_ content: SheetContent) throws(FlatteningError) {
            try deadline.check(before: .init(rawValue: content.rawValue))
        }
        // A search that was stopped also found nothing.
        if sought.contains(.mrz) { try check(.mrz) }
        mrz = view.zone?.moved { ($0 + 0.5) * scale - 0.5 }
        if sought.contains(.codes) {
            try check(.codes)
            var isPartial = false
            let reader = try CodeReader()
            codes = try view.codes(readBy: reader) { isPartial = true }.map { $0.scaled(by: scale) }
            codesNotSought = reader.unknownSymbologies
            areCodesPartial = isPartial
        }
        if sought.contains(.faces) {
            try check(.faces)
            faces = try view.faces().map { $0.scaled(by: scale) }
        }
        if let text = view.text {
            if sought.contains(.items) {
                try check(.items)
                items = text.items(context: context).map { $0.scaled(by: scale) }
            }
            if sought.contains(.contact) {
                try check(.contact)
                contact = Contact(of: text).scaled(by: scale).completed(by: codes ?? [])
            }
        }
        if sought.contains(.kind) || contact != nil {
            try check(.kind)
            let document = DocumentClassification(of: evidence(in: view))
            if sought.contains(.kind) { self.document = document }
            if contact?.isOfCard(among: document) == false { contact = Contact() }
        }
    }

    /// Collects the evidence for the kind of document: the text that was read, and everything else that was looked for.
    private func evidence(in view: SheetView) -> DocumentEvidence {
        var evidence = DocumentEvidence(view)
        evidence.zone = mrz?.zone.format.rawValue
        evidence.barCodes = codes?.count { !$0.symbology.isSquare } ?? 0
        evidence.squareCodes = codes?.count { $0.symbology.isSquare } ?? 0
        evidence.face = faces?.compactMap(\.corners).map(Box.init(around:)).map(\.height).max()
            .map { $0 / Double(min(view.flat.width, view.flat.height)) }
        return evidence
    }

    // MARK: - Redaction

    /// Splits the findings into those that remain when personal data is hidden and those that are hidden, in pixels of the
    /// flat image.
    ///
    /// Hiding names also hides the zone; hiding names, numbers or mail addresses also hides the codes that hold a contact.
    /// Codes and faces without a place on the flat image are counted in `unplaced`: nothing hides them if the picture shows
    /// them.
    /// - Parameter areas: parts of the flat image to blacken. Codes, faces and zones that touch one of them are hidden
    ///   whole, and so are those without a place.
    func hiding(
        _ kinds: Set<PersonalData>, areas: [Box] = []
    ) -> (left: SheetFindings, hidden: [PersonalData: HiddenContent], unplaced: Int) {
        var left = self
        var hidden: [PersonalData: HiddenContent] = [:]
        var unplaced = 0
        func hide(_ corners: [SIMD2<Double>]?, as kind: PersonalData) {
            if let corners {
                hidden[kind, default: .init()].boxes.append(Box(around: corners))
            } else {
                unplaced += 1
            }
        }
        var marked = areas
        func isTouched(_ corners: [SIMD2<Double>]?) -> Bool {
            guard !areas.isEmpty else { return false }
            guard let box = corners.map({ Box(around: $0) }) else {
                unplaced += 1
                return true
            }
            guard areas.contains(where: { $0.touches(box) }) else { return false }
            marked.append(box)
            return true
        }
        left.faces = faces?.filter { !isTouched($0.corners) }
        if let mrz, isTouched(mrz.corners) { left.mrz = nil }
        let openCodes = codes?.filter { !isTouched($0.corners) }
        if !areas.isEmpty { hidden[.areas] = HiddenContent(areas: marked) }
        if kinds.contains(.faces) {
            for face in faces ?? [] { hide(face.corners, as: .faces) }
            left.faces = nil
        }
        for code in codes ?? [] where code.isHidden(by: kinds) {
            hidden[.codes, default: .init()].codes.append(code.text ?? "")
            code.content?.hide(kinds, in: &hidden)
            hide(code.corners, as: .codes)
        }
        left.codes =
            kinds.contains(.codes) ? nil : openCodes?.filter { !$0.isHidden(by: kinds) }
        if kinds.hidesZones {
            if let mrz {
                hide(mrz.corners, as: .mrz)
                hidden[.mrz]?.hide(mrz.zone)
            }
            left.mrz = nil
        }
        return (left, hidden, unplaced)
    }

    /// Returns the findings without the codes that repeat something hidden elsewhere, such as an address with a person's
    /// name, and the places of these codes.
    func hidingCodes(
        thatSay hidden: [PersonalData: HiddenContent]
    ) -> (left: SheetFindings, boxes: [Box], unplaced: Int) {
        var left = self
        let said = (codes ?? []).filter { !hidden.kindsSaid(in: $0.text ?? "").isEmpty }
        left.codes = codes?.filter { !said.contains($0) }
        let boxes = said.compactMap(\.corners).map(Box.init(around:))
        return (left, boxes, said.count - boxes.count)
    }

    /// What a blackened image still shows of these kinds of data, as far as they were looked for.
    struct SecondLook {
        /// Where they are still seen.
        var boxes: [Box] = []
        /// How many more are seen without a known place.
        var unplaced = 0
        /// The kinds that are still seen.
        var kinds: Set<PersonalData> = []
        /// Whether a search failed: it is then unknown what that search would have found.
        var isIncomplete = false

        fileprivate mutating func add(_ corners: [SIMD2<Double>]?, as kind: PersonalData) {
            kinds.insert(kind)
            if let corners { boxes.append(Box(around: corners)) } else { unplaced += 1 }
        }
    }

    /// Searches a blackened image again.
    func stillSeen(of kinds: Set<PersonalData>, in picture: FlatImage) -> SecondLook {
        lazy var gray = picture.render().gray()
        var seen = SecondLook()
        do throws(FlatteningError) {
            if sought.contains(.codes), kinds.hidesCodes {
                let codes = try CodeReader().codes(in: gray) { seen.isIncomplete = true }
                for code in codes where code.isHidden(by: kinds) { seen.add(code.corners, as: .codes) }
            }
            if sought.contains(.faces), kinds.contains(.faces) {
                for face in try FaceDetector().faces(in: gray) { seen.add(face.corners, as: .faces) }
            }
        } catch {
            seen.isIncomplete = true
        }
        if sought.contains(.mrz), kinds.hidesZones {
            // Only the place is needed, not the century of the dates.
            let zone = ZoneReader(today: .distantPast).zone(in: gray, look: .alongSides)
            if let zone { seen.add(zone.corners, as: .mrz) }
        }
        return seen
    }

    /// Returns the same findings, but with those of another text, in pixels of the flat image.
    /// - Parameter isNameless: whether a contact's names are left out.
    func withText(_ text: RecognizedText?, isNameless: Bool, context: ReceiptContext) -> SheetFindings {
        guard let text else { return self }
        var findings = self
        if items != nil { findings.items = text.items(context: context) }
        // A sheet that is not a business card does not become one because something is hidden.
        if contact?.isEmpty == false {
            var contact = Contact(of: text)
            if isNameless { contact.names = [] }
            contact = contact.completed(by: codes ?? [])
            findings.contact = contact
        }
        return findings
    }
}

extension SheetCode {
    /// Whether hiding these kinds also hides this code: hiding codes hides all; hiding a contact's parts hides codes with
    /// personal data.
    fileprivate func isHidden(by kinds: Set<PersonalData>) -> Bool {
        kinds.contains(.codes) || isPersonal && kinds.hidesCodes
    }
}

extension Set<PersonalData> {
    /// Whether these kinds may require hiding a code.
    fileprivate var hidesCodes: Bool { !isDisjoint(with: [.codes, .names, .phones, .emails]) }
    /// Whether these kinds hide a machine-readable zone: it holds a name.
    fileprivate var hidesZones: Bool { !isDisjoint(with: [.mrz, .names]) }
}
