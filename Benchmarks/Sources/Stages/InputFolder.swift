import Foundation
import ImageFiles
import ReceiptFlattening
import SyntheticCaptures

/// The folder of everything that is measured on: drawn once, read by our cases and by the peers' program alike.
public struct InputFolder: Sendable {
    /// Where it is.
    public let path: String

    /// The folder at a path; it need not be there yet.
    public init(path: String) { self.path = path }

    /// A file or folder inside.
    public func path(_ name: String) -> String { path + "/" + name }

    func data(_ name: String) throws -> Data { try Data(contentsOf: URL(filePath: path(name))) }

    func photograph(_ size: PhotographSize) throws -> RGBImage {
        try RGBImage(data: data("capture-\(size.megapixels)/image.jpg"))
    }

    /// Draws what is not there yet.
    public func fill(sizes: [PhotographSize], report: (String) -> Void) throws {
        for size in sizes {
            try draw("capture-\(size.megapixels)", report) { try drawCapture(size, into: $0) }
            try draw("warp-\(size.megapixels)", report) { try drawWarp(size, into: $0) }
        }
        for size in DepthSize.allCases {
            try draw("depth-\(size.rawValue)", report) { try drawDepth(size, into: $0) }
        }
        try draw("plane", report) { try PlaneScene().write(to: $0) }
        try draw("surface", report) { try SurfaceScene.write(to: $0) }
        try draw("page", report) { try drawPage(into: $0) }
    }

    /// A folder is drawn under another name and then renamed, so that one which is there is whole.
    private func draw(_ name: String, _ report: (String) -> Void, _ body: (String) throws -> Void) throws {
        let files = FileManager.default
        guard !files.fileExists(atPath: path(name)) else { return }
        report("drawing \(name)")
        let unfinished = path(name + ".unfinished")
        try? files.removeItem(atPath: unfinished)
        try files.createDirectory(atPath: unfinished, withIntermediateDirectories: true)
        try body(unfinished)
        try files.moveItem(atPath: unfinished, toPath: path(name))
    }

    private func drawCapture(_ size: PhotographSize, into folder: String) throws {
        try size.scene.render(sensor: .structuredLight).write(to: URL(filePath: folder))
    }

    private func drawWarp(_ size: PhotographSize, into folder: String) throws {
        let warp = try Warp(size)
        let flat = try photograph(size).resampled(through: warp.plane, threading: .allCores)
        try flat.write(to: URL(filePath: folder + "/flat.png"))
        try NPYWriter.write(warp.plane.nodePositions, to: folder + "/plane-nodes.npy")
        try NPYWriter.write(warp.curved.nodePositions, to: folder + "/curved-nodes.npy")
        try Warp.Description(warp).write(to: folder + "/warp.json")
    }

    private func drawDepth(_ size: DepthSize, into folder: String) throws {
        let scene = PhotographSize.standard.scene
        try NPYWriter.write(scene.renderDepth(sensor: size.sensor).values, to: folder + "/depth.npy")
        try CameraNumbers(scene.camera).write(to: folder + "/camera.json")
    }

    /// The receipt's own print, seen straight on at 300 dpi.
    private func drawPage(into folder: String) throws {
        var options = ReceiptFlattener.Options()
        options.dotsPerInch = 300
        let capture = try Capture(
            contentsOf: URL(filePath: path("capture-\(PhotographSize.standard.megapixels)")))
        let receipt = try ReceiptFlattener(options: options).flatten(capture)
        try receipt.picture.render().gray().map { RGB(red: $0, green: $0, blue: $0) }.write(
            to: URL(filePath: folder + "/page.png"), pixelsPerMeter: receipt.pixelsPerMeter)
        try Data(PhotographSize.standard.scene.document.text.utf8).write(
            to: URL(filePath: folder + "/text.txt"), options: .atomic)
    }
}

/// The photographs' sizes, 3 : 4.
public struct PhotographSize: Sendable, Equatable {
    /// Millions of pixels, rounded.
    public let megapixels: Int
    let width: Int

    /// 1512 x 2016.
    public static let small = PhotographSize(megapixels: 3, width: 1512)
    /// 3024 x 4032, as phones have it.
    public static let standard = PhotographSize(megapixels: 12, width: 3024)
    /// 6048 x 8064.
    public static let large = PhotographSize(megapixels: 48, width: 6048)
    /// All of them, ascending.
    public static let all = [small, standard, large]

    var pixels: PixelSize { PixelSize(width: width, height: width / 3 * 4) }
    var label: String { "\(megapixels) MP" }

    /// A crumpled receipt of some 35 lines: only a free-form surface describes it.
    var scene: SyntheticScene {
        var generator = SeededGenerator(seed: 4_817)
        return SyntheticScene.random(
            .crumple, paper: .wide, itemCount: 16, imageSize: pixels, table: .wood, using: &generator)
    }
}

/// The depth maps' sizes.
enum DepthSize: String, CaseIterable {
    case lidar = "256x192"
    case structured = "640x480"
    /// As large as the photograph.
    case full = "4032x3024"

    var sensor: DepthSensor {
        switch self {
        case .lidar: .lidar
        case .structured: .structuredLight
        case .full: DepthSensor(kind: .perfect, longSide: 4032, shortSide: 3024)
        }
    }
}

/// Camera parameters for the peers' program.
struct CameraNumbers: Codable {
    var fx, fy, cx, cy: Double
    var width, height: Int

    init(_ camera: CameraIntrinsics) {
        (fx, fy, cx, cy) = (camera.fx, camera.fy, camera.cx, camera.cy)
        (width, height) = (camera.imageSize.width, camera.imageSize.height)
    }

    func write(to path: String) throws {
        try JSONEncoder().encode(self).write(to: URL(filePath: path), options: .atomic)
    }
}
