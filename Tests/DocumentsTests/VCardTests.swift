import Foundation
import Testing

@testable import Documents

@Suite("vCards") struct VCardTests {
    /// Every value with what must be marked, in scripts of one to four octets a character.
    private var contact: Contact {
        var contact = Contact()
        contact.names = [
            Contact.Reading(
                Contact.Name(full: "Dr. Zoë O'Neil; Jr.", given: "Zoë", family: "O'Neil; Jr.", prefix: "Dr."))
        ]
        contact.organisation = Contact.Reading(
            "Möller, Söhne & Töchter \\ Präzisionsmaschinenbaugesellschaft 株式会社 🏭 GmbH & Co. KG")
        contact.title = Contact.Reading("Head of\nResearch")
        contact.phones = [
            Contact.Reading(Contact.Phone(number: "+493012345678")),
            Contact.Reading(Contact.Phone(number: "+491711234567", kind: .mobile)),
            Contact.Reading(Contact.Phone(number: "555 12 34", kind: .fax)),
        ]
        contact.emails = [Contact.Reading("zoe@example.com")]
        contact.urls = [Contact.Reading("https://example.com/a,b;c")]
        contact.address = Contact.Reading(
            Contact.Address(
                full: "Am Markt 1, 10115 Berlin", street: "Am Markt 1", locality: "Berlin",
                postalCode: "10115",
                country: "Deutschland"))
        return contact
    }

    private func lines(_ version: VCard.Version) -> [Substring] {
        VCard.text(of: contact, version: version).replacing("\r\n ", with: "").split(separator: "\r\n")
    }

    @Test("Version 4.0 says what RFC 6350 asks for") func version4() {
        #expect(
            lines(.v4) == [
                "BEGIN:VCARD", "VERSION:4.0", "FN:Dr. Zoë O'Neil\\; Jr.", "N:O'Neil\\; Jr.;Zoë;;Dr.;",
                "ORG:Möller\\, Söhne & Töchter \\\\ Präzisionsmaschinenbaugesellschaft 株式会社 🏭 GmbH & Co. KG",
                "TITLE:Head of\\nResearch", "TEL;TYPE=\"work,voice\";VALUE=uri:tel:+493012345678",
                "TEL;TYPE=cell;VALUE=uri:tel:+491711234567", "TEL;TYPE=\"work,fax\";VALUE=text:555 12 34",
                "EMAIL;TYPE=work:zoe@example.com", "URL:https://example.com/a,b;c",
                "ADR;TYPE=work:;;Am Markt 1;Berlin;;10115;Deutschland", "END:VCARD",
            ])
    }

    @Test("Version 3.0 says what RFC 2426 asks for") func version3() {
        #expect(
            lines(.v3).filter { $0.hasPrefix("TEL") || $0.hasPrefix("EMAIL") || $0.hasPrefix("VERSION") } == [
                "VERSION:3.0", "TEL;TYPE=WORK,VOICE:+493012345678", "TEL;TYPE=CELL:+491711234567",
                "TEL;TYPE=WORK,FAX:555 12 34", "EMAIL;TYPE=INTERNET:zoe@example.com",
            ])
    }

    @Test("No line is longer than 75 octets, and none cuts a character", arguments: VCard.Version.allCases)
    func folding(version: VCard.Version) {
        let bytes = Array(VCard.text(of: contact, version: version).utf8)
        let physical = bytes.split(separator: UInt8(ascii: "\n"))
        #expect(physical.allSatisfy { $0.last == UInt8(ascii: "\r") && $0.count - 1 <= 75 })
        #expect(physical.allSatisfy { String(validating: $0, as: UTF8.self) != nil })
        #expect(physical.contains { $0.first == UInt8(ascii: " ") }, "the long name is folded")
    }

    @Test("A name that would add a line stays in its own", arguments: VCard.Version.allCases)
    func injection(version: VCard.Version) {
        var contact = Contact()
        contact.organisation = Contact.Reading("A\r\nEND:VCARD\u{85}B\u{2028}C\u{0}")
        contact.urls = [Contact.Reading("https://x.de/\r\nTEL:1\u{2028}")]
        let lines = VCard.text(of: contact, version: version).split(separator: "\r\n")
        #expect(lines.count { $0 == "END:VCARD" } == 1)
        #expect(!lines.contains { $0.hasPrefix("TEL") })
        #expect(lines.contains("ORG:A\\nEND:VCARD\\nB\\nC"))
    }

    @Test("Every card has a name, as both standards ask", arguments: VCard.Version.allCases)
    func formattedName(version: VCard.Version) {
        var contact = Contact()
        contact.emails = [Contact.Reading("info@x.de")]
        #expect(VCard.text(of: contact, version: version).contains("\r\nFN:info@x.de\r\n"))
    }

    #if os(Linux)
        /// Debian's python3-vobject: a reader by others.
        @Test("Another program reads back every value of version 3.0") func readBack() throws {
            // vobject takes a comma in a URI for the end of a value, which RFC 2426 does not.
            var contact = contact
            contact.urls = [Contact.Reading("https://example.com/a")]
            let script = """
                import json, sys, vobject
                c = vobject.readOne(sys.stdin.buffer.read().decode("utf-8"))
                print(json.dumps([c.fn.value, c.n.value.family, c.n.value.given, c.n.value.prefix, c.org.value[0], c.title.value,
                    [t.value for t in c.tel_list], c.email.value, c.url.value, c.adr.value.street, c.adr.value.city,
                    c.adr.value.code, c.adr.value.country]))
                """
            let process = Process()
            process.executableURL = URL(filePath: "/usr/bin/python3")
            process.arguments = ["-c", script]
            let (input, output) = (Pipe(), Pipe())
            process.standardInput = input
            process.standardOutput = output
            try process.run()
            input.fileHandleForWriting.write(Data(VCard.text(of: contact, version: .v3).utf8))
            try input.fileHandleForWriting.close()
            let read = try JSONSerialization.jsonObject(
                with: output.fileHandleForReading.readDataToEndOfFile())
            process.waitUntilExit()
            let values = try #require(read as? [Any])
            #expect(
                values.compactMap { $0 as? String } == [
                    "Dr. Zoë O'Neil; Jr.", "O'Neil; Jr.", "Zoë", "Dr.", contact.organisation?.value,
                    "Head of\nResearch",
                    "zoe@example.com", "https://example.com/a", "Am Markt 1", "Berlin", "10115",
                    "Deutschland",
                ])
            #expect(values.compactMap { $0 as? [String] } == [contact.phones.map(\.value.number)])
        }
    #endif
}
