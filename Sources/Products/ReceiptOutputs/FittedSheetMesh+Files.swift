package import Diagnostics
import Platform
package import Imaging
import ImageFiles
import ScalarText

extension FittedSheetMesh {
    /// The formats of a mesh.
    public enum Format: String, CaseIterable, Sendable {
        /// Wavefront: text, with its material in an `.mtl` and its texture in a `.jpg` beside it.
        case obj
        /// glTF 2.0 in one binary file, with the texture inside.
        case glb
        /// Binary PLY with a colour for each vertex.
        case ply
    }

    /// A file of a mesh.
    public struct File: Sendable {
        /// Its path.
        public let path: String
        /// Its bytes.
        public let bytes: [UInt8]
    }

    /// Returns the paths of the files of a mesh of this name: one, or three for OBJ.
    package static func paths(_ path: String, as format: Format) -> [String] {
        guard format == .obj else { return [path] }
        let stem = String(path.dropLast(4))
        return [path, stem + ".mtl", stem + ".jpg"]
    }

    /// Returns the files of the mesh, textured with the flat image.
    ///
    /// OBJ and PLY are in the camera's frame, as `--cloud` is: x right, y down, z forward. GLB has y up and z towards the
    /// camera, as glTF demands. All are in metres.
    /// - Throws: as JPEG encoding does.
    package func files(
        named path: String, as format: Format, texture: RGBImage
    ) throws(FlatteningError) -> [File] {
        let paths = Self.paths(path, as: format)
        switch format {
        case .ply: return [File(path: path, bytes: ply(texture))]
        case .glb: return [File(path: path, bytes: try glb(texture))]
        case .obj:
            func name(_ path: String) -> String { path.split(atScalar: "/").last.map(String.init) ?? path }
            let material = "newmtl sheet\nKd 1 1 1\nmap_Kd \(name(paths[2]))\n"
            return [
                File(path: paths[0], bytes: Array(obj(material: name(paths[1])).utf8)),
                File(path: paths[1], bytes: Array(material.utf8)),
                File(path: paths[2], bytes: try ImageWriter.jpeg(texture, pixelsPerMeter: nil)),
            ]
        }
    }

    /// The visible vertices, and for each vertex of the grid its number among them.
    private var seen: (vertices: [Int], numbers: [Int]) {
        let vertices = points.indices.filter { points[$0] != nil }
        var numbers = [Int](repeating: -1, count: points.count)
        for (number, vertex) in vertices.enumerated() { numbers[vertex] = number }
        return (vertices, numbers)
    }

    private func obj(material: String) -> String {
        let (vertices, numbers) = seen
        var lines = ["# metres; x right, y down, z forward", "mtllib \(material)", "usemtl sheet"]
        // Six digits are micrometres.
        func number(_ value: Double) -> String { NumberText.fixed(value, 6) }
        for vertex in vertices {
            let point = points[vertex] ?? .zero
            lines.append("v \(number(point.x)) \(number(point.y)) \(number(point.z))")
        }
        for vertex in vertices {
            let place = texture(vertex)
            // OBJ counts from the lower left corner.
            lines.append("vt \(number(place.x)) \(number(1 - place.y))")
        }
        for triangle in triangles {
            let corners = [triangle.x, triangle.y, triangle.z].map { numbers[$0] + 1 }
            lines.append("f " + corners.map { "\($0)/\($0)" }.joined(separator: " "))
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func ply(_ picture: RGBImage) -> [UInt8] {
        let (vertices, numbers) = seen
        let triangles = triangles
        var bytes = Array(
            """
            ply
            format binary_little_endian 1.0
            comment metres; x right, y down, z forward
            element vertex \(vertices.count)
            property float x
            property float y
            property float z
            property uchar red
            property uchar green
            property uchar blue
            element face \(triangles.count)
            property list uchar int vertex_indices
            end_header

            """.utf8)
        for vertex in vertices {
            bytes.append(points[vertex] ?? .zero)
            let place = texture(vertex)
            let color = picture[
                x: min(Int(place.x * Double(picture.width)), picture.width - 1),
                y: min(Int(place.y * Double(picture.height)), picture.height - 1)]
            bytes += [color.red, color.green, color.blue]
        }
        for triangle in triangles {
            bytes.append(UInt8(3))
            for corner in [triangle.x, triangle.y, triangle.z] { bytes.append(UInt32(numbers[corner])) }
        }
        return bytes
    }

    private func glb(_ picture: RGBImage) throws(FlatteningError) -> [UInt8] {
        let (vertices, numbers) = seen
        // Half a turn about x: from the camera's frame to the frame of glTF.
        let places = vertices.map { (points[$0] ?? .zero) * SIMD3(1, -1, -1) }
        let image = try ImageWriter.jpeg(picture, pixelsPerMeter: nil)
        var buffer: [UInt8] = []
        var views: [String] = []
        func add(_ bytes: [UInt8], target: Int? = nil) {
            let what = target.map { ",\"target\":\($0)" } ?? ""
            views.append("{\"buffer\":0,\"byteOffset\":\(buffer.count),\"byteLength\":\(bytes.count)\(what)}")
            buffer += bytes + [UInt8](repeating: 0, count: -bytes.count & 3)
        }
        var part: [UInt8] = []
        for place in places { part.append(place) }
        add(part, target: 34962)
        part = []
        for vertex in vertices {
            part.append(Float(texture(vertex).x).bitPattern)
            part.append(Float(texture(vertex).y).bitPattern)
        }
        add(part, target: 34962)
        part = []
        let triangles = triangles
        for triangle in triangles {
            for corner in [triangle.x, triangle.y, triangle.z] { part.append(UInt32(numbers[corner])) }
        }
        add(part, target: 34963)
        add(image)
        func bound(_ choose: (Double, Double) -> Double) -> String {
            let first = places.first ?? .zero
            let bound = places.reduce(first) {
                SIMD3(choose($0.x, $1.x), choose($0.y, $1.y), choose($0.z, $1.z))
            }
            return "[\(Float(bound.x)),\(Float(bound.y)),\(Float(bound.z))]"
        }
        let count = vertices.count
        var json = Array(
            """
            {"asset":{"version":"2.0","generator":"flatten"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0,\
            "name":"sheet"}],"meshes":[{"primitives":[{"attributes":{"POSITION":0,"TEXCOORD_0":1},"indices":2,\
            "material":0}]}],"materials":[{"doubleSided":true,"pbrMetallicRoughness":{"baseColorTexture":{"index":0},\
            "metallicFactor":0,"roughnessFactor":1}}],"textures":[{"source":0,"sampler":0}],\
            "samplers":[{"wrapS":33071,"wrapT":33071}],"images":[{"bufferView":3,"mimeType":"image/jpeg"}],\
            "accessors":[{"bufferView":0,"componentType":5126,"count":\(count),"type":"VEC3","min":\(bound(min)),\
            "max":\(bound(max))},{"bufferView":1,"componentType":5126,"count":\(count),"type":"VEC2"},\
            {"bufferView":2,"componentType":5125,"count":\(3 * triangles.count),"type":"SCALAR"}],\
            "bufferViews":[\(views.joined(separator: ","))],"buffers":[{"byteLength":\(buffer.count)}]}
            """.utf8)
        json += [UInt8](repeating: UInt8(ascii: " "), count: -json.count & 3)
        var file = Array("glTF".utf8)
        // Header and the two chunks' own headers are 28 bytes.
        for word in [2, UInt32(28 + json.count + buffer.count), UInt32(json.count)] { file.append(word) }
        file += Array("JSON".utf8) + json
        file.append(UInt32(buffer.count))
        return file + Array("BIN\0".utf8) + buffer
    }
}

extension [UInt8] {
    /// Appends a number, least significant byte first.
    fileprivate mutating func append(_ value: UInt32) {
        for shift in [0, 8, 16, 24] as [UInt32] { append(UInt8(truncatingIfNeeded: value >> shift)) }
    }

    /// Appends a point as three floats.
    fileprivate mutating func append(_ point: SIMD3<Double>) {
        for value in [point.x, point.y, point.z] { append(Float(value).bitPattern) }
    }
}
