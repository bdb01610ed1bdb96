import Foundation
import LocalFiles
import TestSupport
import Testing

@Suite struct FileStartTests {
    @Test func aFilesFirstBytesTellItsFormatAndTextIsNone() throws {
        let folder = try ScratchFolder()
        let picture = folder.path("a.jpg")
        try Data([0xFF, 0xD8, 0xFF, 0xE0] + [UInt8](repeating: 7, count: 100)).write(
            to: URL(filePath: picture))
        let start = try #require(FileStart(path: picture))
        #expect(start.bytes.count == ImageFileFormat.signatureLength)
        #expect(start.format == .jpeg && !start.isText)
        #expect(try #require(FileStart(path: picture, count: 3)).bytes == [0xFF, 0xD8, 0xFF])

        try Data("a/b.jpg\r\n\tc".utf8).write(to: URL(filePath: folder.path("list.txt")))
        #expect(FileStart(path: folder.path("list.txt"))?.isText == true)
        // A form feed is no text's, nor is nothing.
        #expect(!FileStart(Array("a\u{0C}".utf8)).isText && !FileStart([]).isText)
    }

    @Test(.timeLimit(.minutes(1)))
    func whatIsNoRegularFileHasNoStartAndIsNotWaitedFor() throws {
        let folder = try ScratchFolder()
        mkfifo(folder.path("pipe"), 0o600)
        for path in [folder.path("pipe"), folder.path(""), folder.path("missing"), "/dev/zero"] {
            #expect(FileStart(path: path) == nil, "\(path)")
        }
    }
}
