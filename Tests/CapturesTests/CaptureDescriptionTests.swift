import Imaging
import LocalFiles
import TestSupport
import Testing

@testable import Captures

@Suite struct CaptureDescriptionTests {
    static func parse(_ text: String) throws -> CaptureDescription {
        try CaptureDescription.parse(InputFile(text, name: "capture.json"), folder: "shots/7")
    }

    @Test("A full description is taken word for word")
    func full() throws {
        let description = try Self.parse(
            """
            { "image": "image.jpg",
              "depth": { "file": "maps/depth.png", "unit_metres": 0.0001, "kind": "disparity", "accuracy": "relative",
                         "projection": "radial" },
              "confidence": "confidence.png",
              "intrinsics": { "width": 3024, "height": 4032, "fx": 3346.6, "fy": 3346.5, "cx": 1505.2, "cy": 2013.7 },
              "distortion": [0.1, 0.2, 0.3, 0.4] }
            """)
        #expect(description.imagePath == "shots/7/image.jpg")
        #expect(description.depth?.path == "shots/7/maps/depth.png")
        #expect(description.depth?.unit == 0.0001)
        #expect(description.depth?.kind == .disparity)
        #expect(description.depth?.accuracy == .relative)
        #expect(description.depth?.projection == .radial)
        #expect(description.confidencePath == "shots/7/confidence.png")
        guard case .stated(let intrinsics, "capture.json") = description.intrinsics else {
            Issue.record("no intrinsics")
            return
        }
        #expect(intrinsics.fy == 3346.5 && intrinsics.size == PixelSize(width: 3024, height: 4032))
        #expect(intrinsics.distortion == .brownConrady(k1: 0.1, k2: 0.2, p1: 0.3, p2: 0.4, k3: 0))
        #expect(description.notes.isEmpty)
    }

    @Test("All but the picture may be missing, and null is missing")
    func least() throws {
        let description = try Self.parse(#"{"image": "a.png", "depth": null, "intrinsics": null}"#)
        #expect(description == CaptureDescription(imagePath: "shots/7/a.png"))
        let inFile = try Self.parse(#"{"image": "a.png", "intrinsics": "camera.yaml"}"#)
        #expect(inFile.intrinsics == .file("shots/7/camera.yaml"))
    }

    @Test("Unknown keys are noted")
    func unknown() throws {
        let description = try Self.parse(
            #"{"image": "a.png", "dept": 3, "depth": {"file": "d.png", "units": 1}}"#)
        #expect(description.notes.count == 2)
        #expect(description.notes.joined().contains("dept"))
        #expect(description.notes.joined().contains("depth.units"))
    }

    @Test(
        "Names that lead out of the folder are refused",
        arguments: [
            "../a.png", "/etc/passwd", "a/../../b", "a//b", "./a", "a/", "", ".", "..", "..\\\\a", "C:\\\\a",
            "a\\u0000b",
            "a\\nb", "-", "../\u{301}a.png", "/\u{301}a", "a/\u{301}../../b", "a\\\\\u{301}b",
            "a\u{600}/../../b", "a/\u{301}b/..",
        ])
    func names(name: String) throws {
        for text in [
            "{\"image\": \"\(name)\"}", "{\"image\": \"a.png\", \"depth\": \"\(name)\"}",
            "{\"image\": \"a.png\", \"depth\": {\"file\": \"\(name)\"}}",
            "{\"image\": \"a.png\", \"confidence\": \"\(name)\"}",
            "{\"image\": \"a.png\", \"intrinsics\": \"\(name)\"}",
        ] {
            let error = try #require(failure { try Self.parse(text) }, "\(text)")
            #expect(
                error.code == .badInput && error.file == "capture.json" && error.stage == .capture,
                "\(error)")
        }
    }

    @Test(
        "What the form does not allow is refused",
        arguments: [
            "[]", "3", "{}", #"{"image": 3}"#, #"{"image": "a", "depth": 3}"#,
            #"{"image": "a", "depth": {}}"#,
            #"{"image": "a", "depth": {"file": "d", "unit_metres": 0}}"#,
            #"{"image": "a", "depth": {"file": "d", "unit_metres": -1}}"#,
            #"{"image": "a", "depth": {"file": "d", "unit_metres": "0.001"}}"#,
            #"{"image": "a", "depth": {"file": "d", "unit_metres": 1e30}}"#,
            #"{"image": "a", "depth": {"file": "d", "kind": "colour"}}"#,
            #"{"image": "a", "depth": {"file": "d", "accuracy": 1}}"#,
            #"{"image": "a", "depth": {"file": "d", "projection": "fisheye"}}"#,
            #"{"image": "a", "confidence": true}"#, #"{"image": "a", "intrinsics": {}}"#,
            #"{"image": "a", "intrinsics": 5}"#, #"{"image": "a", "intrinsics": {"fx": 1}}"#,
            #"{"image": "a", "distortion": [0, 0, 0, 0]}"#,
            #"{"image": "a", "intrinsics": "k.json", "distortion": [0, 0, 0, 0]}"#,
        ])
    func refused(text: String) throws {
        let error = try #require(failure { try Self.parse(text) })
        #expect(error.code == .badInput && error.file == "capture.json", "\(error)")
    }

    @Test("A path leads to a folder, its description or a picture")
    func finding() throws {
        let folder = try ScratchFolder()
        #expect(failure { try CaptureDescription.find(folder.path) }?.code == .badInput)
        let file = try folder.write(#"{"image": "a.png"}"#, as: "capture.json")
        #expect(failure { try CaptureDescription.find(folder.path) }?.code == .fileAccess)
        try folder.lay("picture.png", as: "a.png")
        #expect(try CaptureDescription.find(folder.path).imagePath == folder.path + "/a.png")
        #expect(try CaptureDescription.find(folder.path + "/").imagePath == folder.path + "/a.png")
        #expect(try CaptureDescription.find(file).imagePath == folder.path + "/a.png")
        #expect(try CaptureDescription.find("b.jpg") == CaptureDescription(imagePath: "b.jpg"))
    }
}
