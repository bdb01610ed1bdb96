import DepthGeometry
import Diagnostics
import Foundation
import Imaging
import LocalFiles
import TestSupport
import Testing

@testable import Captures

@Suite struct RecordedFilesTests {
    private static let image = "@picture.png"
    private static let depth = "@depth-mm.png"

    /// Archives often hold one folder that holds the capture; their files have no paths of their own.
    @Test func filesOfAnArchiveAreReadThroughItAlone() throws {
        let picture = try InputFile.read(path: try Fixture.path("picture.png")).bytes
        let entries = [
            "scan/capture.json": Array(#"{"image": "shots/a.png"}"#.utf8), "scan/shots/a.png": picture,
        ]
        let files = RecordedFiles(
            root: "x.zip", names: Array(entries.keys), limits: FlatteningLimits(),
            unpack: { (name: String) throws(FlatteningError) -> [UInt8] in entries[name] ?? [] })
        let found = try #require(try RecordingDetection.detect(files))
        let description = try found.format.init(found.files).frame(at: 0).description
        #expect(description.imagePath == "x.zip/scan/shots/a.png")
        #expect(try Capture.read(description).image.size == PixelSize(width: 40, height: 30))
    }

    @Test func noNameLeadsOutOfTheCapture() throws {
        let outside = try ScratchFolder()
        try outside.lay("picture.png", as: "secret.png")
        let folder = try ScratchFolder()
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/link.png", withDestinationPath: outside.path + "/secret.png")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/inside", withDestinationPath: outside.path)
        for name in [
            outside.path + "/secret.png", "../" + outside.path.split(separator: "/").last! + "/secret.png",
            "link.png", "inside/secret.png", "./link.png", "",
        ] {
            try folder.write(
                #"{"fl_x":42,"fl_y":44,"cx":18,"cy":16,"frames":[{"file_path":"\#(name)"}]}"#,
                as: "transforms.json")
            #expect(failure { try Capture.read(folder.path) }?.code == .fileAccess, "\(name)")
        }
        try FileManager.default.removeItem(atPath: folder.path + "/transforms.json")
        try folder.write(#"{"image": "link.png"}"#, as: "capture.json")
        #expect(failure { try Capture.read(folder.path) }?.code == .fileAccess)
    }

    @Test func aFolderThatMayNotBeLookedIntoIsAsGoodAsNotThere() throws {
        let folder = try ScratchFolder.laid([
            "rgb.png": Self.image, "depth.png": Self.depth, "closed/a.png": Self.image,
        ])
        let closed = folder.path + "/closed"
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: closed)
        defer { try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: closed) }
        // The superuser may look into everything; then it is another picture without depth.
        #expect(try Recording.open(folder.path).frameCount == 1)
    }

    #if os(Linux)
        /// Such names come from archives of other systems; no document can state them.
        @Test func aNameThatIsNotUTF8IsLeftOut() throws {
            let folder = try ScratchFolder.laid(["rgb.png": Self.image, "depth.png": Self.depth])
            let odd =
                Array(folder.path.utf8CString.dropLast()) + [0x2F, CChar(bitPattern: 0xE9), 0x2E, 0x61, 0]
            let descriptor = creat(odd, 0o600)
            try #require(descriptor >= 0)
            close(descriptor)
            let files = try RecordedFiles.list(folder: folder.path, limits: FlatteningLimits())
            #expect(files.names == ["depth.png", "rgb.png"])
        }
    #endif
}
