import Foundation
import Hummingbird
import Testing

@testable import FlattenServer

/// What a program that flattens tells of itself.
@Suite struct ProgressTests {
    @Test(
        "The last whole line counts, whatever stands between",
        arguments: [
            ("", nil), ("warning: progress\n", nil), ("progress: {\"stage\":\"read\"}", nil),
            ("progress: {\"stage\":\"read\"}\n", "read"),
            ("progress: {\"stage\":\"read\"}\nprogress: {\"stage\":\"te", "read"),
            ("progress: {\"stage\":\"read\"}\nwarning: x\n", "read"), ("progress: nonsense\n", nil),
        ])
    func lines(text: String, stage: String?) { #expect(Progress(told: text)?.stage == stage) }

    @Test("Of a file that grows its end is read")
    func file() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "messages-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(Progress(in: file) == nil)
        let lines = (0...100).map {
            "progress: {\"page\":2,\"pages\":3,\"share\":\(Double($0) / 100),\"stage\":\"text\"}\n"
        }
        try Data(lines.joined().utf8).write(to: file)
        let progress = try #require(Progress(in: file))
        #expect(progress.stage == "text" && progress.share == 1 && progress.page == 2 && progress.pages == 3)
    }
}
