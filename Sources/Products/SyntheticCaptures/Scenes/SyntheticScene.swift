public import Diagnostics
public import Parallelism
public import DepthGeometry
import Foundation
public import Imaging
import RobustStatistics

/// A receipt on a table, a lamp, and a camera: everything that determines a synthetic capture.
///
/// The same scene gives the same capture bit for bit on the same machine, for any number of threads.
///
/// ```swift
/// var generator = SplitMix64(seed: 7)
/// let scene = SyntheticScene.random(.curl, paper: .wide, using: &generator)
/// let capture = try scene.render(sensor: .lidar)
/// ```
public struct SyntheticScene: Sendable {
    /// The print and the paper.
    public var document: ReceiptDocument
    /// A scan to print instead of the document's lines, as wide as its paper; 255 is bare paper. At least
    /// 2 x 2 pixels; nil for none.
    public var scan: GrayImage?
    /// The shape of the paper.
    public var shape: SheetShape
    /// The cut of the paper's ends.
    public var endCut: EndCut
    /// The table that the paper lies on.
    public var table: TableMaterial
    /// How far the table extends beyond the flat sheet on each side, in metres; nil for an endless table. Beyond it is a room
    /// with objects at all distances, so that little or nothing of the table is seen around the sheet.
    public var tableReach: Double?
    /// The lamp and the room.
    public var light: SceneLight
    /// The colour camera.
    public var camera: CameraIntrinsics
    /// The camera's pose.
    public var pose: CameraPose
    /// The camera's effect on colours.
    public var look: PhotographLook
    /// Seed of all noise and texture.
    public var seed: UInt64
    /// The number of the shot of a still scene. Each shot has its own noise in image and depth; everything else depends on
    /// ``seed`` alone.
    public var shot: UInt64 = 0
    /// The flaws that hide parts of the sheet in this shot.
    public var flaws: [PhotographFlaw] = []
    /// The camera's motion between the photograph and the depth map, which phones take some milliseconds apart.
    public var depthMotion = RigidTransform.identity
    /// The effort of rendering.
    public var quality: RenderingQuality

    /// Creates a scene from its parts.
    public init(
        document: ReceiptDocument, shape: SheetShape, endCut: EndCut = .straight,
        table: TableMaterial = .wood,
        light: SceneLight = SceneLight(), camera: CameraIntrinsics, pose: CameraPose,
        look: PhotographLook = PhotographLook(), seed: UInt64, quality: RenderingQuality = .full
    ) {
        self.document = document
        self.shape = shape
        self.endCut = endCut
        self.table = table
        self.light = light
        self.camera = camera
        self.pose = pose
        self.look = look
        self.seed = seed
        self.quality = quality
    }

    /// The bent sheet.
    public var surface: PaperSurface {
        PaperSurface(shape: shape, width: document.width, height: document.height)
    }

    /// Renders the photograph and the depth map of this scene.
    ///
    /// O(pixels · supersampling²); a 12 MP image takes some seconds in a release build.
    /// - Parameters:
    ///   - sensor: the depth camera.
    ///   - threading: the number of threads that render; the result does not depend on it.
    /// - Throws: `FlatteningError.fileAccess` if the glyphs included in this target cannot be read.
    public func render(
        sensor: DepthSensor, threading: Threading = .allCores
    ) throws(FlatteningError) -> SyntheticCapture {
        let surface = surface
        let mesh = surface.mesh(spacing: quality.meshSpacing, cut: endCut, seed: seed)
        var image = try photograph(
            rows: 0..<camera.imageSize.height, mesh: mesh, threading: threading)
        let simulation = depthSimulation(sensor: sensor, mesh: mesh, threading: threading)
        var readings = simulation.readings()
        for flaw in flaws {
            image = flaw.painted(on: image, of: self)
            readings = flaw.painted(on: readings, of: self)
        }
        return SyntheticCapture(
            scene: self, surface: surface, sensor: sensor, image: image, readings: readings,
            confidence: simulation.confidence())
    }

    /// Renders some rows of the photograph, as they are in the whole photograph without ``flaws``.
    public func renderRows(
        _ rows: Range<Int>, threading: Threading = .allCores
    ) throws(FlatteningError) -> RGBImage {
        precondition(
            rows.lowerBound >= 0 && rows.upperBound <= camera.imageSize.height,
            "the photograph has these rows")
        return try photograph(
            rows: rows, mesh: surface.mesh(spacing: quality.meshSpacing, cut: endCut, seed: seed),
            threading: threading)
    }

    private func photograph(
        rows: Range<Int>, mesh: SheetMesh, threading: Threading
    ) throws(FlatteningError) -> RGBImage {
        return PhotographRenderer(
            camera: camera, pose: pose, mesh: mesh,
            print: try print(),
            irradiance: Irradiance(
                mesh: mesh, light: light, quality: quality, tableReflectance: table.reflectance,
                threading: threading),
            light: light, table: tableTop, look: look, supersampling: quality.supersampling, seed: seed,
            noiseSeed: noiseSeed
        ).render(rows: rows, threading: threading)
    }

    private func print() throws(FlatteningError) -> SheetPrint {
        if let scan { return SheetPrint(scan: scan, width: document.width) }
        let samplesPerMeter = camera.fx / pose.translation.z * Double(quality.supersampling)
        return SheetPrint(
            document: document, atlas: try GlyphAtlas.bundled(), samplesPerMeter: samplesPerMeter, seed: seed)
    }

    /// Renders only the depth map, for tests of geometry; the same as from `render(sensor:)`.
    public func renderDepth(sensor: DepthSensor, threading: Threading = .allCores) -> DepthMap {
        let mesh = surface.mesh(spacing: quality.meshSpacing, cut: endCut, seed: seed)
        var readings = depthSimulation(sensor: sensor, mesh: mesh, threading: threading).readings()
        for flaw in flaws { readings = flaw.painted(on: readings, of: self) }
        return SyntheticCapture.stored(readings, encoding: sensor.encoding).map
    }

    private var noiseSeed: UInt64 { seed ^ NoiseHash.mix(shot) }

    private var tableTop: TableTop {
        TableTop(
            material: table,
            halfSize: tableReach.map { SIMD2(document.width / 2 + $0, document.height / 2 + $0) })
    }

    private func depthSimulation(
        sensor: DepthSensor, mesh: SheetMesh, threading: Threading
    ) -> DepthSimulation {
        DepthSimulation(
            sensor: sensor, camera: camera.scaled(to: sensor.mapSize(imageSize: camera.imageSize)),
            pose: pose.moved(by: depthMotion), mesh: mesh, table: tableTop, seed: seed, noiseSeed: noiseSeed,
            threading: threading)
    }
}
