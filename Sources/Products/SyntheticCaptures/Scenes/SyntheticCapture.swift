public import DepthGeometry
import Foundation
public import Imaging
import Parallelism

/// A photograph, its depth map and camera, and the ground truth.
public struct SyntheticCapture: Sendable {
    /// The scene that was drawn.
    public let scene: SyntheticScene
    /// The bent sheet.
    public let surface: PaperSurface
    /// The depth camera.
    public let sensor: DepthSensor
    /// The photograph, upright.
    public let image: RGBImage
    /// The depth camera's readings, as read back from their file: rounded to the file's unit.
    public let depth: DepthMap
    /// The stored 16-bit values, if the sensor's files store depth so; 0 = no reading.
    public let rawDepth: Raster<UInt16>?
    /// The sensor's confidence in each reading, 0 to 2; nil if it gives none.
    public let confidence: Raster<UInt8>?

    init(
        scene: SyntheticScene, surface: PaperSurface, sensor: DepthSensor, image: RGBImage,
        readings: Raster<Float>, confidence: Raster<UInt8>?
    ) {
        self.scene = scene
        self.surface = surface
        self.sensor = sensor
        self.image = image
        self.confidence = confidence
        (depth, rawDepth) = Self.stored(readings, encoding: sensor.encoding)
    }

    /// The colour camera.
    public var intrinsics: CameraIntrinsics { scene.camera }

    /// The text on the sheet, line by line as printed.
    public var text: String { scene.document.text }

    static func stored(
        _ readings: Raster<Float>, encoding: DepthSensor.Encoding
    ) -> (map: DepthMap, raw: Raster<UInt16>?) {
        switch encoding {
        case .tiff32:
            return (DepthMap(readings: readings), nil)
        case .png16(let metersPerUnit):
            let raw = readings.map { reading -> UInt16 in
                let units = Double(reading) / metersPerUnit
                return units > 0 && units < 65535 ? UInt16(units.rounded()) : 0
            }
            return (DepthMap(raw: raw, metersPerUnit: Float(metersPerUnit)), raw)
        }
    }

    /// Returns the position of a place of the flat sheet in the photograph, in pixels, whether or not it is visible there.
    public func photographPosition(u: Double, v: Double) -> SIMD2<Double> {
        scene.camera.project(scene.pose(surface.point(u: u, v: v)))
    }

    /// Returns the place of the flat sheet that every `step`-th pixel along both axes shows, in millimetres from the sheet's
    /// top-left corner; NaN where a pixel shows the table or the sheet's back.
    ///
    /// Element (x, y) belongs to pixel (step · x, step · y) of the photograph. O(pixels / step²).
    public func flatMillimeters(step: Int = 1) -> Raster<SIMD2<Float>> {
        precondition(step >= 1, "a step is at least one pixel")
        let camera = scene.camera
        let size = PixelSize(
            width: (camera.imageSize.width + step - 1) / step,
            height: (camera.imageSize.height + step - 1) / step)
        // CameraIntrinsics.scaled would not do: this grid keeps pixel (0, 0) in place.
        let coarse = CameraIntrinsics(
            fx: camera.fx / Double(step), fy: camera.fy / Double(step), cx: camera.cx / Double(step),
            cy: camera.cy / Double(step), imageSize: size)
        let mesh = surface.mesh(spacing: scene.quality.meshSpacing, cut: scene.endCut, seed: scene.seed)
        let rasterizer = SheetRasterizer(mesh: mesh, camera: coarse, pose: scene.pose)
        return Raster(width: size.width, height: size.height) { flat in
            flat.initialize(repeating: SIMD2(.nan, .nan))
            let flat = DisjointRows(flat, rowLength: size.width)
            forEachBand(of: 0..<size.height, threading: .allCores, minimumRows: 32) { rows in
                let hits = SheetRasterizer.Hits(capacity: rows.count * size.width)
                defer { hits.deallocate() }
                guard rasterizer.draw(lines: rows, width: size.width, into: hits) else { return }
                let flat = flat[rows]
                for index in 0..<rows.count * size.width where hits.inverseDepth[index] > 0 {
                    flat[index] = SIMD2(hits.u[index], hits.v[index]) * 1000
                }
            }
        }
    }
}
