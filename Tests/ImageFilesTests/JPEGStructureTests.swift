import LocalFiles
import Testing

@testable import ImageFiles

@Suite struct JPEGStructureTests {
    @Test func fillBytesBeforeAMarkerMeanNothing() throws {
        let bytes = try Fixture.bytes("full-color.jpg")
        let filled = Array(bytes.prefix(2)) + [0xFF, 0xFF] + bytes.dropFirst(2)
        #expect(
            try ColorPicture.decode(InputFile(name: "filled", bytes: filled))
                == ColorPicture.decode(InputFile(name: "plain", bytes: bytes)))
    }

    @Test func bytesBetweenTheSegmentsAreSkipped() throws {
        let bytes = try Fixture.bytes("orientation-6.jpg")
        let stray = Array(bytes.prefix(2)) + [1, 2, 3] + bytes.dropFirst(2)
        let structure = JPEGStructure(stray, maximumScans: 100)
        #expect(structure.hasEnd && structure.exif != nil && structure.scanCount == 1)
    }
}
