import DepthGeometry
import DrawnReceipts
import Foundation
import Imaging
import ReceiptFlattening
import Testing

@testable import ResultPages

/// The fitted sheet as a mesh, and its files.
@Suite struct FittedSheetMeshTests {
    private static let made = Result {
        let capture = try DrawnReceipt.capture()
        let receipt = try ReceiptFlattener().flatten(capture)
        return (capture, receipt)
    }

    private func mesh() throws -> FittedSheetMesh {
        let (capture, receipt) = try Self.made.get()
        return try #require(FittedSheetMesh(of: receipt, in: capture))
    }

    @Test func alongTheSheetItsLengthIsThatOfTheFlatPicture() throws {
        let mesh = try mesh()
        let row = mesh.rows / 2 * mesh.columns
        let across = try #require(Self.length(mesh, (0..<mesh.columns).map { row + $0 }))
        let along = try #require(
            Self.length(mesh, (0..<mesh.rows).map { $0 * mesh.columns + mesh.columns / 2 }))
        // Straightening by print may shift places by some tenths of a millimetre, on some 70 mm.
        #expect(abs(across / mesh.millimeters.x - 1) < 0.01, "\(across) of \(mesh.millimeters.x) mm")
        #expect(abs(along / mesh.millimeters.y - 1) < 0.01, "\(along) of \(mesh.millimeters.y) mm")
    }

    /// The length of a line of vertices in millimetres; nil where one is not seen.
    private static func length(_ mesh: FittedSheetMesh, _ line: [Int]) -> Double? {
        let points = line.compactMap { mesh.points[$0] }
        guard points.count == line.count else { return nil }
        return zip(points, points.dropFirst()).reduce(0) { $0 + ($1.1 - $1.0).length } * 1000
    }

    @Test func trianglesFaceTheCamera() throws {
        let mesh = try mesh()
        for triangle in mesh.triangles {
            let corners = [triangle.x, triangle.y, triangle.z].compactMap { mesh.points[$0] }
            let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0])
            #expect(normal.dot(corners[0]) < 0)
        }
    }

    @Test func withoutDepthThereIsNone() throws {
        var capture = try DrawnReceipt.capture()
        capture.depth = nil
        #expect(FittedSheetMesh(of: try ReceiptFlattener().flatten(capture), in: capture) == nil)
    }

    @Test func aGLBIsWhatItsHeadersSay() throws {
        let mesh = try mesh()
        let bytes = try mesh.files(named: "a.glb", as: .glb, texture: DrawnReceipt.grayPicture)[0].bytes
        func word(_ at: Int) -> Int { (0..<4).reduce(0) { $0 | Int(bytes[at + $1]) << (8 * $1) } }
        #expect(bytes.prefix(4).elementsEqual("glTF".utf8))
        #expect(word(4) == 2 && word(8) == bytes.count)
        let json = word(12)
        #expect(json % 4 == 0 && word(20 + json) + 28 + json == bytes.count)
        let scene = try #require(
            try JSONSerialization.jsonObject(with: Data(bytes[20..<20 + json])) as? [String: Any])
        let views = try #require(scene["bufferViews"] as? [[String: Any]])
        for view in views {
            let (start, count) = (view["byteOffset"] as? Int ?? -1, view["byteLength"] as? Int ?? -1)
            #expect(start >= 0 && start % 4 == 0 && start + count <= word(20 + json))
        }
        let accessors = try #require(scene["accessors"] as? [[String: Any]])
        #expect(accessors[0]["count"] as? Int == mesh.points.compactMap(\.self).count)
        #expect(accessors[2]["count"] as? Int == 3 * mesh.triangles.count)
    }

    @Test func anOBJNamesItsMaterialAndItsVertices() throws {
        let mesh = try mesh()
        let files = try mesh.files(named: "x/a.obj", as: .obj, texture: DrawnReceipt.grayPicture)
        #expect(files.map(\.path) == ["x/a.obj", "x/a.mtl", "x/a.jpg"])
        let lines = String(decoding: files[0].bytes, as: UTF8.self).split(separator: "\n")
        #expect(lines.contains("mtllib a.mtl"))
        let count = lines.count { $0.hasPrefix("v ") }
        #expect(count == lines.count { $0.hasPrefix("vt ") })
        let corners = lines.filter { $0.hasPrefix("f ") }.flatMap { $0.split(separator: " ").dropFirst() }
            .compactMap { Int($0.split(separator: "/")[0]) }
        #expect(corners.count == 3 * mesh.triangles.count && corners.allSatisfy { (1...count).contains($0) })
        #expect(String(decoding: files[1].bytes, as: UTF8.self).contains("map_Kd a.jpg"))
    }
}
