import Testing

@testable import Captures

@Suite struct XMPPacketTests {
    @Test("XMP is read as attributes, elements and lists, under any prefix")
    func packet() {
        let text = """
            <?xpacket begin="" id="x"?><!-- <a:no>1</a:no> --><x:xmpmeta xmlns:x="adobe:ns:meta/">
            <r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><r:Description q:A='1 &lt; 2 &#x41;' xmlns:q="u/">
            <q:B> 3.5 </q:B><q:C><r:Seq><r:li>1</r:li><r:li>2e0</r:li></r:Seq></q:C></r:Description></r:RDF></x:xmpmeta>
            """
        let packet = XMPPacket(Array(text.utf8))
        #expect(packet.value("u/", "A") == "1 < 2 A")
        #expect(packet.number("u/", "B") == 3.5)
        #expect(packet.numbers("u/", "C") == [1, 2])
        #expect(packet.value("u/", "no") == nil)
        // A document type could define entities that grow without end.
        let bomb = "<!DOCTYPE x [<!ENTITY a \"aaaa\">]>" + text
        #expect(XMPPacket(Array(bomb.utf8)).value("u/", "A") == nil)
        for length in 0..<text.utf8.count { _ = XMPPacket(Array(text.utf8.prefix(length))) }
    }

    @Test func aLongNamespaceIsNotCopiedToEachOfItsProperties() {
        func value(ofNamespace length: Int) -> String? {
            let uri = String(repeating: "u", count: length)
            return XMPPacket(Array("<r xmlns:a='\(uri)' a:b='1'/>".utf8)).value(uri, "b")
        }
        #expect(value(ofNamespace: 256) == "1")
        #expect(value(ofNamespace: 257) == nil)
    }

    @Test func aPacketOfMorePropertiesThanCamerasWriteEndsThere() {
        func packet(_ count: Int) -> XMPPacket {
            let before = String(repeating: "<p/>", count: count)
            return XMPPacket(Array("<r xmlns:a='u/'>\(before)<a:b>1</a:b></r>".utf8))
        }
        // The root, its namespace and the last element count too.
        #expect(packet(9_997).value("u/", "b") == "1")
        #expect(packet(9_998).value("u/", "b") == nil)
        let attributes = (0..<10_001).map { "k\($0)=''" }.joined(separator: " ")
        #expect(
            XMPPacket(Array("<r xmlns:a='u/'><p \(attributes)/><a:b>1</a:b></r>".utf8)).value("u/", "b")
                == nil)
    }

    @Test func nestingEndsAtSixtyFour() {
        func value(_ depth: Int) -> String? {
            let open = String(repeating: "<p>", count: depth)
            return XMPPacket(Array("<r xmlns:a='u/'>\(open)<a:b>1</a:b>".utf8)).value("u/", "b")
        }
        #expect(value(62) == "1")
        #expect(value(64) == nil)
    }

    @Test(arguments: [
        "<!-- ", "<?x ", "<", "</r>", "<r", "<r a", "<r a=", "<r a=1>", "<r a='1", "< >",
        "<r a='&#x110000;'/>",
    ])
    func whatBreaksOffGivesNothing(text: String) {
        #expect(XMPPacket(Array(text.utf8)).value("", "b") == nil)
    }
}
