import Foundation
import TestSupport
import Testing

/// A batch over a folder that holds every odd thing beside good captures, however it is started: it ends, the good ones are
/// flattened, every odd one is told of.
@Suite(.timeLimit(.minutes(4))) struct OddBatchTests {
    /// How the batch is started.
    enum Setting: String, CaseIterable, Sendable {
        case plain
        case errorsClosed
        case errorsFull
        case childrenIgnored
    }

    private static let good = ["good-1", "good-2"]
    /// What the log and standard error must name, as it is written there.
    private static let odd = [
        "pipe", "to-pipe.jpg", "to-zero.png", "out-of-it.jpg", "to-folder", "sparse.png", "caf\\xe9.jpg",
        "empty.png",
        "lying.png", "text.jpg", "no-library.heic", "socket", "escape", "climbing", "receipt.pdf", "sticker",
    ]

    /// - Returns: the folder, and one with a library that is none.
    private func scene() throws -> (input: ScratchFolder, libraries: ScratchFolder) {
        let (folder, libraries) = (try ScratchFolder(), try ScratchFolder())
        let files = FileManager.default
        let picture = libraries.url.appending(path: "sheet.png")
        try FlattenProcess.blankSheet.write(to: picture)
        for name in Self.good + ["caf\u{E9}", "cafe\u{301}"] {
            try files.copyItem(at: picture, to: folder.url.appending(path: name + ".jpg"))
        }
        let other = try Data(contentsOf: picture)
        mkfifo(folder.path("pipe"), 0o600)
        for (name, target) in [
            ("to-pipe.jpg", "pipe"), ("to-zero.png", "/dev/zero"), ("out-of-it.jpg", picture.path()),
            ("to-folder", FlattenProcess.samples.path()),
        ] {
            try files.createSymbolicLink(atPath: folder.path(name), withDestinationPath: target)
        }
        func write(_ bytes: [UInt8], _ name: [UInt8]) {
            let path = Array((folder.url.path() + "/").utf8) + name
            let opened = open((path + [0]).map(CChar.init(bitPattern:)), O_CREAT | O_WRONLY, 0o600)
            _ = bytes.withUnsafeBytes { Foundation.write(opened, $0.baseAddress, $0.count) }
            close(opened)
        }
        write(Array(other), Array("caf".utf8) + [0xE9] + Array(".jpg".utf8))
        write([], Array("empty.png".utf8))
        write([0x89] + Array("PNG\r\n\u{1A}\nnot a picture".utf8), Array("lying.png".utf8))
        write(Array("nothing but words\n".utf8), Array("text.jpg".utf8))
        write(
            Array("ftypheic".utf8), Array("escape\u{1B}[2J\n1 of 1 captures are flattened\u{202E}.png".utf8))
        write([], Array("sparse.png".utf8))
        truncate(folder.path("sparse.png"), 1 << 40)
        let heic = FlattenProcess.samples.deletingLastPathComponent()
            .appending(path: "Tests/ImageFilesTests/Fixtures/apple-disparity.heic")
        try files.copyItem(at: heic, to: folder.url.appending(path: "no-library.heic"))
        for name in ["climbing", "with-a-movie"] {
            try files.createDirectory(
                at: folder.url.appending(path: name), withIntermediateDirectories: true)
        }
        try Data(#"{"image": "../good-1.jpg"}"#.utf8)
            .write(to: folder.url.appending(path: "climbing/capture.json"))
        // A good capture beside a terabyte that it does not use.
        try files.copyItem(at: picture, to: folder.url.appending(path: "with-a-movie/image.jpg"))
        try Data(#"{"image": "image.jpg"}"#.utf8)
            .write(to: folder.url.appending(path: "with-a-movie/capture.json"))
        write([], Array("with-a-movie/movie.bin".utf8))
        truncate(folder.path("with-a-movie/movie.bin"), 1 << 40)
        try makeSocket(at: folder.path("socket"))
        write(Array("%PDF-1.7\n".utf8), Array("receipt.pdf".utf8))
        write(Array("RIFF\0\0\0\0WEBPVP8 ".utf8), Array("sticker".utf8))
        write([], Array("notes.txt".utf8))
        try Data().write(to: libraries.url.appending(path: "libheif.so.1"))
        return (folder, libraries)
    }

    private func makeSocket(at path: String) throws {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let room = MemoryLayout.size(ofValue: address.sun_path)
        try #require(path.utf8.count < room)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let bound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(bound == 0)
    }

    @Test(arguments: Setting.allCases)
    func itEndsAndNamesEachOddThing(setting: Setting) throws {
        let (input, libraries) = try scene()
        let output = try ScratchFolder()
        let arguments = ["batch", input.url.path(), "-o", output.path("out"), "--dpi", "100"]
        let environment = ["LD_LIBRARY_PATH": libraries.url.path()]
        let start = ContinuousClock.now
        let outcome =
            switch setting {
            case .plain: try FlattenProcess.run(arguments, environment: environment)
            case .errorsClosed: try FlattenProcess.run(arguments, environment: environment, shell: "2>&-")
            case .errorsFull:
                try FlattenProcess.run(arguments, environment: environment, shell: "2>/dev/full")
            case .childrenIgnored:
                // What a shell ignores its children inherit, but SIGCHLD; a caller in Python or C can.
                try FlattenProcess.run(
                    [
                        "-c",
                        "import os, signal, sys; signal.signal(signal.SIGCHLD, signal.SIG_IGN); "
                            + "os.execv(sys.argv[1], ['flatten'] + sys.argv[2:])",
                        FlattenProcess.binary.path(),
                    ] + arguments, environment: environment, program: "/usr/bin/env",
                    before: ["python3"])
            }
        #expect(ContinuousClock.now - start < .seconds(120))
        #expect(outcome.exitCode == 1 && !outcome.wasSignalled, "\(outcome.exitCode) \(outcome.errors)")

        let log = try String(contentsOf: output.url.appending(path: "out/jobs.jsonl"), encoding: .utf8)
        var states: [String: String] = [:]
        var inputs: [String] = []
        for line in log.split(separator: "\n") {
            let record = try #require(
                try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
            states[try #require(record["name"] as? String)] = record["state"] as? String
            if record["state"] as? String == "failed" {
                inputs.append(try #require(record["input"] as? String))
            }
        }
        for name in Self.good + ["with-a-movie"] {
            #expect(states[name] == "done", "\(name)")
            #expect(FileManager.default.fileExists(atPath: output.path("out/\(name).png")))
        }
        // Two spellings of one word.
        #expect(states.keys.count { $0.hasPrefix("caf") && $0.contains("-") } == 2)
        for name in Self.odd {
            #expect(inputs.contains { $0.split(separator: "/").last?.hasPrefix(name) == true }, "\(name)")
        }
        #expect(inputs.count == Self.odd.count, "\(inputs)")
        // What was found is done, failed or passed over.
        #expect(states.count + 1 == (try input.contents.count))
        if setting == .plain {
            #expect(outcome.errors.contains("\n1 other file passed over: notes.txt\n"), "\(outcome.errors)")
            #expect(outcome.errors.contains("the PDF is broken") || outcome.errors.contains("poppler"))
        }
        let unwanted = outcome.errors.unicodeScalars.filter {
            ($0.value < 0x20 && $0 != "\n") || (0x7F...0x9F).contains($0.value) || $0.value == 0x202E
        }
        #expect(unwanted.isEmpty)
        guard setting == .plain || setting == .childrenIgnored else { return }
        for name in Self.odd { #expect(outcome.errors.contains(name), "\(name)") }
        #expect(!outcome.errors.contains("\n1 of 1"))

        // What failed by its own fault stays failed; nothing is done again.
        let again = try FlattenProcess.run(arguments + ["--resume"])
        #expect(again.exitCode == 1)
        #expect(again.errors.contains("good-1: done earlier"))
    }
}
