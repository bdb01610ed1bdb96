import LocalFiles
public import DepthGeometry
public import Foundation
import ImageFiles
import Imaging
public import RobustStatistics

/// A still scene in the layout of a recording app: hand-held shots, each with depth and pose, in one folder.
///
/// The layouts follow the published descriptions of the formats, not this package's readers.
public struct SyntheticSequence: Sendable {
    /// The layout of the folder.
    public enum Layout: String, CaseIterable, Sendable {
        /// Stray Scanner (github.com/strayrobots/scanner, docs/format.md): millimetres, matrix and odometry as CSV.
        case strayScanner = "stray-scanner"
        /// The TUM RGB-D benchmark (cvg.cit.tum.de/data/datasets/rgbd-dataset/file_formats): 5000 units a metre, lists of
        /// files by time, trajectory as text; the camera file is the one that ETH3D adds.
        case tum
    }

    /// The shots, and the pose of each camera in the frame of the first.
    public var shots: [(scene: SyntheticScene, motion: RigidTransform)]
    /// The depth camera.
    public var sensor: DepthSensor
    /// Shots per second.
    public var rate = 10.0
    /// Deviation of the recorded poses' positions along each axis, in metres: tracking drifts and jitters by millimetres (0
    /// for true poses). The first pose defines the world frame and has no error.
    public var poseError = 0.0

    /// Creates a sequence of shots; see `SyntheticScene.handHeldShots`.
    public init(shots: [(scene: SyntheticScene, motion: RigidTransform)], sensor: DepthSensor) {
        self.shots = shots
        self.sensor = sensor
    }

    /// The places of flaws, as shares of the sheet, and their radii: a reflection's as a share of the sheet's width, a
    /// finger's in metres.
    private enum Flaw {
        static let places = 0.15..<0.85
        static let reflection = 0.2
        static let finger = 0.008
    }

    /// Adds a reflection to each shot, at another place of the sheet each time, and a finger to every third shot, including
    /// the first.
    public mutating func spoil(using generator: inout SeededGenerator) {
        for index in shots.indices {
            let document = shots[index].scene.document
            func drawn(_ kind: PhotographFlaw.Kind, radius: Double) -> PhotographFlaw {
                PhotographFlaw(
                    kind, at: SIMD2(generator.uniform(Flaw.places), generator.uniform(Flaw.places)),
                    radius: radius)
            }
            shots[index].scene.flaws = [drawn(.glare, radius: Flaw.reflection * document.width)]
            if index % 3 == 0 { shots[index].scene.flaws.append(drawn(.finger, radius: Flaw.finger)) }
        }
    }

    /// Renders the shots into a folder, with `text.txt`, the expected text.
    /// - Parameters:
    ///   - folder: created if missing.
    ///   - layout: the layout of the folder.
    /// - Throws: `FlatteningError.fileAccess`.
    /// - Complexity: that of rendering each shot; one shot is in memory at a time.
    public func write(to folder: URL, layout: Layout) throws {
        for name in ["rgb", "depth"] {
            try FileManager.default.createDirectory(
                at: folder.appendingPathComponent(name), withIntermediateDirectories: true)
        }
        func put(_ lines: [String], as name: String) throws {
            try AtomicFile.replace(
                folder.appendingPathComponent(name).path,
                with: Array((lines.joined(separator: "\n") + "\n").utf8))
        }
        guard let first = shots.first else { return }
        var poses: [String] = []
        var jitter = SeededGenerator(seed: first.scene.seed).generator(for: "pose error")
        var lists: (images: [String], maps: [String]) = ([], [])
        for (index, shot) in shots.enumerated() {
            let time = String(format: "%.6f", 1000 + Double(index) / rate)
            let stem = layout == .tum ? time : String(format: "%06d", index)
            let image = "rgb/\(stem)." + (layout == .tum ? "png" : "jpg")
            try draw(shot.scene, layout: layout, image: image, depth: "depth/\(stem).png", into: folder)
            lists.images.append("\(time) \(image)")
            lists.maps.append("\(time) depth/\(stem).png")
            // The transform from this shot's camera to the first one's, which is the world.
            let pose = shot.motion.inverse
            let error = SIMD3(jitter.normal(), jitter.normal(), jitter.normal()) * poseError
            let position = index == 0 ? pose.translation : pose.translation + error
            let numbers = [position.x, position.y, position.z] + pose.quaternion
            let written = numbers.map { String(format: "%.9f", $0) }
            poses.append(
                layout == .tum
                    ? "\(time) " + written.joined(separator: " ")
                    : "\(time), \(stem), " + written.joined(separator: ", "))
        }
        let camera = first.scene.camera
        switch layout {
        case .strayScanner:
            try put(
                [
                    "\(camera.fx), 0.0, \(camera.cx)", "0.0, \(camera.fy), \(camera.cy)", "0.0, 0.0, 1.0",
                ], as: "camera_matrix.csv")
            try put(["timestamp, frame, x, y, z, qx, qy, qz, qw"] + poses, as: "odometry.csv")
        case .tum:
            try put(["# color images", "# timestamp filename"] + lists.images, as: "rgb.txt")
            try put(["# depth maps", "# timestamp filename"] + lists.maps, as: "depth.txt")
            try put(["# timestamp tx ty tz qx qy qz qw"] + poses, as: "groundtruth.txt")
            try put(["\(camera.fx) \(camera.fy) \(camera.cx) \(camera.cy)"], as: "calibration.txt")
        }
        try AtomicFile.replace(
            folder.appendingPathComponent("text.txt").path, with: Array(first.scene.document.text.utf8))
    }

    private func draw(
        _ scene: SyntheticScene, layout: Layout, image: String, depth: String, into folder: URL
    ) throws {
        var sensor = sensor
        sensor.encoding = .png16(metersPerUnit: layout == .tum ? 1 / 5000.0 : 0.001)
        let drawn = try scene.render(sensor: sensor)
        try ImageWriter.write(drawn.image, to: folder.appendingPathComponent(image).path)
        guard let raw = drawn.rawDepth else { return }
        try SyntheticCapture.writePNG16(
            raw.elements, size: raw.size, pixels: .gray16, to: folder.appendingPathComponent(depth).path)
    }
}

extension RigidTransform {
    /// The rotation as a unit quaternion x, y, z, w with w at least 0 (Shepperd's method: starts from the greatest square, to
    /// avoid division by a small number).
    fileprivate var quaternion: [Double] {
        let (m00, m11, m22) = (xAxis.x, yAxis.y, zAxis.z)
        let squares = [
            1 + m00 - m11 - m22, 1 - m00 + m11 - m22, 1 - m00 - m11 + m22, 1 + m00 + m11 + m22,
        ]
        let (xy, xz, yz) = (yAxis.x + xAxis.y, zAxis.x + xAxis.z, zAxis.y + yAxis.z)
        let (wx, wy, wz) = (yAxis.z - zAxis.y, zAxis.x - xAxis.z, xAxis.y - yAxis.x)
        let row: [Double]
        switch squares.indices.max(by: { squares[$0] < squares[$1] }) {
        case 0: row = [squares[0], xy, xz, wx]
        case 1: row = [xy, squares[1], yz, wy]
        case 2: row = [xz, yz, squares[2], wz]
        default: row = [wx, wy, wz, squares[3]]
        }
        let length = row.reduce(0) { $0 + $1 * $1 }.squareRoot() * (row[3] < 0 ? -1 : 1)
        return row.map { $0 / length }
    }
}
