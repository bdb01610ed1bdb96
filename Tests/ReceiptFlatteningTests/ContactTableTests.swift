import Documents
import Testing

@testable import ReceiptFlattening

@Suite("Tables of contacts") struct ContactTableTests {
    @Test("A row a contact, several values in one cell, and no cell a formula") func rows() {
        var contact = Contact()
        contact.names = [.init(Contact.Name(full: "=Zoë", given: "Zoë"))]
        contact.phones = [
            .init(Contact.Phone(number: "+4930123456")), .init(Contact.Phone(number: "030 1", kind: .fax)),
        ]
        contact.emails = [.init("a@x.de"), .init("b@x.de")]
        let lines = ContactTable.csv(of: [contact, Contact()]).split(separator: "\r\n")
        #expect(lines.count == 3)
        #expect(lines[0].hasPrefix("name,given_name,family_name,organisation,title,phone,mobile,fax,email"))
        #expect(lines[1] == "\"'=Zoë\",Zoë,,,,+4930123456,,030 1,\"a@x.de; b@x.de\",,,,,,")
        #expect(lines[2].allSatisfy { $0 == "," })
    }
}
