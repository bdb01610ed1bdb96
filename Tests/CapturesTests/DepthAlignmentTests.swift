import DepthGeometry
import Foundation
import Imaging
import TestSupport
import Testing

@testable import Captures

@Suite struct DepthAlignmentTests {
    private static let image = "@picture.png"
    private static let depth = "@depth-mm.png"
    private static let camera = #"{"fx":42,"fy":44,"cx":18,"cy":16,"width":40,"height":30}"#

    @Test func aDepthCameraBesideTheColourCameraIsBroughtToIt() throws {
        let folder = try ScratchFolder()
        try folder.lay("picture.png", as: "color.png")
        try folder.lay("depth-flat.png", as: "depth.png")
        // The depth camera sits 20 mm to the right: what it sees at its column u, the colour camera sees farther right.
        try folder.write(
            """
            {"color": {"width":40,"height":30,"fx":42,"fy":44,"ppx":18,"ppy":16},
             "depth": {"width":20,"height":15,"fx":20,"fy":20,"ppx":9.5,"ppy":7},
             "depth_to_color": {"rotation":[1,0,0,0,1,0,0,0,1], "translation":[0.02,0,0]}, "depth_scale": 0.001}
            """, as: "calibration.json")
        let capture = try Capture.read(folder.path)
        #expect(capture.warnings.contains { $0.contains("reprojected from the depth camera") })
        let depth = try #require(capture.depth)
        // The map holds 500 mm but 250 mm in columns 10 and 11, rows 5 to 9. A reading at (10.5, 7) is at x = 12.5 mm in the
        // depth camera, 32.5 mm in the colour camera: column 42 / 0.25 * 0.0325 + 18 = 23.46 of 40, row 16.
        let row = Double(depth.height) / 30 * 16.5 - 0.5
        let column = Double(depth.width) / 40 * 23.96 - 0.5
        #expect(abs(depth[x: Int(column.rounded()), y: Int(row.rounded())] - 0.25) < 1e-6)
        // Without the shift it would have been at column 42 / 0.25 * 0.0125 + 18 = 20.1.
        let unshifted = Double(depth.width) / 40 * 20.6 - 0.5
        #expect(abs(depth[x: Int(unshifted.rounded()), y: Int(row.rounded())] - 0.5) < 1e-6)
    }

    @Test func aDepthCameraOfAnotherShapeThanTheMapIsNotItsCamera() throws {
        let folder = try ScratchFolder.laid([
            "color.png": Self.image, "depth.png": Self.depth,
            "calibration.json": """
            {"color": \(Self.camera), "depth": {"width":64,"height":20,"fx":20,"fy":20,"ppx":9,"ppy":7},
             "depth_to_color": {"rotation":[1,0,0,0,1,0,0,0,1],"translation":[0.02,0,0]}}
            """,
        ])
        let capture = try Capture.read(folder.path)
        #expect(capture.warnings.contains { $0.contains("is not the depth camera's") })
    }

    /// Where no file states the colour picture's size it is looked at.
    @Test func aColourCameraWithoutASizeHasItsPictures() throws {
        let sized = #"{"width":40,"height":30,"fx":42,"fy":44,"ppx":18,"ppy":16}"#
        let depths = try [sized, #"{"fx":42,"fy":44,"ppx":18,"ppy":16}"#].map { color in
            let folder = try ScratchFolder.laid([
                "color.png": Self.image, "depth.png": "@depth-flat.png",
                "calibration.json": """
                {"color": \(color), "depth": {"width":20,"height":15,"fx":20,"fy":20,"ppx":9.5,"ppy":7},
                 "depth_to_color": {"rotation":[1,0,0,0,1,0,0,0,1], "translation":[0.02,0,0]}, "depth_scale": 0.001}
                """,
            ])
            return try #require(try Capture.read(folder.path).depth)
        }
        #expect(depths[0].values.map { $0.isNaN ? -1 : $0 } == depths[1].values.map { $0.isNaN ? -1 : $0 })
    }
}
