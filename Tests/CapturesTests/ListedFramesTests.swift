import Diagnostics
import TestSupport
import Testing

@testable import Captures

/// Lists of frames whose files are not all there, as copies and downloads leave them.
@Suite struct ListedFramesTests {
    private static let image = "@picture.png"
    private static let depth = "@depth-mm.png"

    /// Lists of four frames, "a" to "d", of which the pictures of "a" and the depth map of "c" are missing.
    static let lists: [(list: String, content: String)] = [
        (
            "associations.txt",
            (0..<4).map {
                "\($0) rgb/\("abcd".map(String.init)[$0]).png \($0) depth/\("abcd".map(String.init)[$0]).png\n"
            }
            .joined()
        ),
        (
            "transforms.json",
            #"{"fl_x": 42, "fl_y": 44, "cx": 18, "cy": 16, "w": 40, "h": 30, "frames": ["#
                + "abcd".map { #"{"file_path": "rgb/\#($0)", "depth_path": "depth/\#($0).png"}"# }
                .joined(separator: ",") + "]}"
        ),
    ]

    @Test(arguments: lists)
    func framesWhoseFilesAreMissingArePassedOverAndCountedOnce(list: String, content: String) throws {
        let folder = try ScratchFolder.laid([
            list: content, "rgb/b.png": Self.image, "rgb/c.png": Self.image, "rgb/d.png": Self.image,
            "depth/a.png": Self.depth, "depth/b.png": Self.depth, "depth/d.png": Self.depth,
        ])
        let recording = try Recording.open(folder.path)
        #expect(recording.frameCount == 2)
        let warnings = try recording.frame(at: 1).capture.warnings.filter { $0.contains("passed over") }
        #expect(warnings.count == 1 && warnings[0].hasPrefix("\(list): 2 of 4 frames are passed over"))
        #expect(try recording.description(at: 1).description.imagePath.hasSuffix("rgb/d.png"))
    }

    @Test(arguments: lists)
    func aListOfNothingThatIsThereIsAnErrorThatNamesTheFirst(list: String, content: String) throws {
        let folder = try ScratchFolder.laid([list: content, "rgb/x.png": Self.image])
        let error = try #require(failure { try Recording.open(folder.path) })
        #expect(error.code == .fileAccess && error.file?.contains("/rgb/a") == true)
        #expect(error.message.contains(list) && error.seen == "4 frames")
    }
}
