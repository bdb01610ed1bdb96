import DepthGeometry
import DrawnReceipts
import Foundation
import Imaging
import ReceiptFlattening
import Testing

@testable import ReceiptOutputs

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

    /// A reading that comes nearer by a millimetre, under the same surface, lies in front of it by a millimetre more.
    @Test func aResidualIsPositiveInFrontOfTheSurface() throws {
        var (capture, receipt) = try Self.made.get()
        let mesh = try mesh()
        capture.depth = capture.depth?.mapReadings { _, _, reading in reading - 0.001 }
        let nearer = try #require(FittedSheetMesh(of: receipt, in: capture))
        let known = mesh.residuals.indices.filter { mesh.residuals[$0] != nil }
        #expect(known.count > mesh.residuals.count / 2)
        for index in known {
            let moved = try #require(nearer.residuals[index]) - (try #require(mesh.residuals[index]))
            // Readings are floats: at half a metre a step is 0.00006 mm.
            #expect(abs(moved - 1) < 0.001)
        }
        // A sensor of structured light is true to some tenths of a millimetre.
        let mean = known.compactMap { mesh.residuals[$0] }.reduce(0, +) / Double(known.count)
        #expect(abs(mean) < 0.3, "\(mean) mm")
    }

    @Test func aPLYHoldsVerticesInTheCamerasFrameWithTheTexturesColours() throws {
        let mesh = try mesh()
        let picture = DrawnReceipt.grayPicture
        let bytes = try mesh.files(named: "a.ply", as: .ply, texture: picture)[0].bytes
        let end = Array("end_header\n".utf8)
        let header = try #require(bytes.indices.first { bytes[$0...].starts(with: end) }) + end.count
        let lines = String(decoding: bytes[..<header], as: UTF8.self).split(separator: "\n")
        let seen = mesh.points.compactMap(\.self)
        #expect(lines.contains("element vertex \(seen.count)"))
        #expect(lines.contains("element face \(mesh.triangles.count)"))
        // Three floats and three bytes; a count and three indices.
        let faces = header + 15 * seen.count
        #expect(bytes.count == faces + 13 * mesh.triangles.count)
        for (number, point) in seen.enumerated() {
            let at = header + 15 * number
            #expect(
                (0..<3).map { Self.float(bytes, at: at + 4 * $0) }
                    == [point.x, point.y, point.z].map(Float.init))
            let color = picture[x: 0, y: 0]
            #expect(Array(bytes[at + 12..<at + 15]) == [color.red, color.green, color.blue])
        }
        for face in mesh.triangles.indices {
            let at = faces + 13 * face
            #expect(bytes[at] == 3)
            #expect((0..<3).allSatisfy { Self.word(bytes, at: at + 1 + 4 * $0) < seen.count })
        }
    }

    @Test func aGLBHasYUpAndZTowardsTheCamera() throws {
        let mesh = try mesh()
        let bytes = try mesh.files(named: "a.glb", as: .glb, texture: DrawnReceipt.grayPicture)[0].bytes
        // Positions stand first in the second chunk.
        let start = 28 + Self.word(bytes, at: 12)
        for (number, point) in mesh.points.compactMap(\.self).enumerated() {
            let place = (0..<3).map { Self.float(bytes, at: start + 12 * number + 4 * $0) }
            #expect(place == [Float(point.x), Float(-point.y), Float(-point.z)])
        }
    }

    private static func word(_ bytes: [UInt8], at index: Int) -> Int {
        (0..<4).reduce(0) { $0 | Int(bytes[index + $1]) << (8 * $1) }
    }

    private static func float(_ bytes: [UInt8], at index: Int) -> Float {
        Float(bitPattern: UInt32(word(bytes, at: index)))
    }

    @Test func aGLBIsWhatItsHeadersSay() throws {
        let mesh = try mesh()
        let bytes = try mesh.files(named: "a.glb", as: .glb, texture: DrawnReceipt.grayPicture)[0].bytes
        func word(_ at: Int) -> Int { Self.word(bytes, at: at) }
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
