import DepthGeometry
import Foundation
import Imaging

/// The error model of a camera that measures the phase of modulated light.
///
/// Models Azure Kinect: a random error of about 1 mm at 1 m that grows with distance and a systematic one below 11 mm
/// (Tölgyessy, Dekan, Chovanec & Hubinský, "Evaluation of the Azure Kinect and its comparison to Kinect V1 and Kinect V2",
/// Sensors 2021, 21, 413; Kurillo, Hemingway, Cheng & Cheng, "Evaluating the accuracy of the Azure Kinect and Kinect v2",
/// Sensors 2022, 22, 2469); a ripple with distance from harmonics of the modulation, and light that reaches a place by way
/// of others and lengthens what is read in corners and folds (Foix, Alenya & Torras, "Lock-in time-of-flight (ToF) cameras:
/// a survey", IEEE Sensors Journal 2011; Fuchs, "Multipath interference compensation in time-of-flight camera images",
/// ICPR 2010).
public enum TimeOfFlightLaw {
    /// Deviation of the error that varies slowly over the image, in metres, and its wavelengths in pixels.
    static let slow = 0.002
    static let wavelengths = 60.0..<300.0
    /// Amplitude of the ripple with distance, and its period, both in metres.
    static let ripple = 0.001
    static let period = 0.19
    /// The share of light that paper and table reflect, all of it diffusely.
    static let reflectance = 0.8
    /// Deviation, in pixels, of the mixing of neighbouring pixels.
    static let mixing = 0.7
    /// Distance, in pixels of the map, between the patches that light each other.
    static let patch = 16

    /// A reading's deviation in metres: its least value, and its growth with z² (z in metres).
    private static let leastNoise = 0.0006
    private static let noiseGrowth = 0.0005
    /// A patch whose ends differ by more than this in depth, in metres, lies across an edge: no surface is so steep over 16
    /// pixels.
    static let edge: Float = 0.05

    /// Returns the deviation of a reading at depth `z`, in metres.
    static func noise(atDepth z: Double) -> Double { leastNoise + noiseGrowth * z * z }
}

extension DepthSimulation {
    func timeOfFlight() -> Raster<Float> {
        let (width, height) = (camera.imageSize.width, camera.imageSize.height)
        // Twice the resolution, so that edges mix in proportion to their share of a pixel.
        let fine = camera.scaled(to: PixelSize(width: 2 * width, height: 2 * height))
        var depth = trueDepth(fine).depth.elements
        for index in depth.indices where depth[index].isNaN { depth[index] = 5 }
        let kernel = gaussian(deviation: 2 * TimeOfFlightLaw.mixing, reach: 5)
        let smooth = Self.filtered(depth, width: 2 * width, height: 2 * height, kernel: kernel)
        let means = Raster<Float>(
            width: width, height: height,
            elements: (0..<width * height).map { index in
                let at = 4 * (index / width) * width + 2 * (index % width)
                return (smooth[at] + smooth[at + 1] + smooth[at + 2 * width] + smooth[at + 2 * width + 1]) / 4
            })
        let slow = slowField(width: width, height: height, wavelengths: TimeOfFlightLaw.wavelengths)
        let detour = LightDetour(over: means, camera: camera)
        let hashes = NoiseHash.mix(noiseSeed ^ 0x70F)
        return Raster(
            width: width, height: height,
            elements: (0..<width * height).map { index in
                let z = Double(means.elements[index])
                let error =
                    TimeOfFlightLaw.slow * Double(slow[index])
                    + TimeOfFlightLaw.ripple * sin(2 * .pi * z / TimeOfFlightLaw.period)
                    + detour.excess(x: index % width, y: index / width)
                    + sensor.noise(atDepth: z) * Double(NoiseHash.normal(hashes, UInt64(index)))
                return Float(z + error)
            })
    }
}

/// The increase of the measured distance by light that arrives by way of another place.
///
/// The scene is modelled as diffuse patches. Patch j sends to place i the share F = cos θi · cos θj · A / (π r²) of its
/// light, over a path that is longer by (|pj| + r - |pi|) / 2. The reading is the mean weighted by amplitude, with one bounce
/// counted.
private struct LightDetour {
    private let nodes: [Double]
    private let columns: Int
    private let rows: Int
    private static let step = TimeOfFlightLaw.patch / 2

    private struct Patch {
        let point: SIMD3<Double>
        let normal: SIMD3<Double>
        let area: Double
        let distance: Double
    }

    init(over depth: Raster<Float>, camera: CameraIntrinsics) {
        func patch(_ x: Int, _ y: Int, size: Int) -> Patch? {
            let reach = max(size / 4, 1)
            let (left, right) = (max(x - reach, 0), min(x + reach, depth.width - 1))
            let (top, bottom) = (max(y - reach, 0), min(y + reach, depth.height - 1))
            func point(_ x: Int, _ y: Int) -> SIMD3<Double> {
                camera.unproject(SIMD2(Double(x), Double(y)), depth: Double(depth[x: x, y: y]))
            }
            let a = (point(right, y) - point(left, y)) / Double(right - left)
            let b = (point(x, bottom) - point(x, top)) / Double(bottom - top)
            let cross = SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
            let length = (cross * cross).sum().squareRoot()
            let here = point(x, y)
            // A patch across a depth edge is not a surface.
            guard length > 0, abs(depth[x: right, y: y] - depth[x: left, y: y]) < TimeOfFlightLaw.edge,
                abs(depth[x: x, y: bottom] - depth[x: x, y: top]) < TimeOfFlightLaw.edge
            else { return nil }
            return Patch(
                point: here, normal: -cross / length, area: length * Double(size * size),
                distance: (here * here).sum().squareRoot())
        }
        let size = TimeOfFlightLaw.patch
        var patches: [Patch] = []
        for y in stride(from: size / 2, to: depth.height, by: size) {
            for x in stride(from: size / 2, to: depth.width, by: size) {
                if let found = patch(x, y, size: size) { patches.append(found) }
            }
        }
        columns = (depth.width - 1) / Self.step + 2
        rows = (depth.height - 1) / Self.step + 2
        var nodes: [Double] = []
        for row in 0..<rows {
            for column in 0..<columns {
                let x = min(column * Self.step, depth.width - 1)
                let y = min(row * Self.step, depth.height - 1)
                guard let here = patch(x, y, size: size) else {
                    nodes.append(0)
                    continue
                }
                var light = 1.0
                var path = 0.0
                for other in patches {
                    let way = other.point - here.point
                    let square = (way * way).sum()
                    // The place's own patch, and neighbours that lie flat beside it, send it no light.
                    let leaving = -(way * other.normal).sum()
                    let arriving = (way * here.normal).sum()
                    guard square > 1e-6, leaving > 0, arriving > 0 else { continue }
                    // The nearest patches are not points: their size limits the light they can send.
                    let factor =
                        leaving * arriving * other.area / (.pi * square * (square + other.area))
                    let share = TimeOfFlightLaw.reflectance * factor
                    light += share
                    path += share * (other.distance + square.squareRoot() - here.distance) / 2
                }
                nodes.append(path / light)
            }
        }
        self.nodes = nodes
    }

    /// Returns the increase in metres.
    func excess(x: Int, y: Int) -> Double {
        let (column, row) = (x / Self.step, y / Self.step)
        let s = Double(x % Self.step) / Double(Self.step)
        let t = Double(y % Self.step) / Double(Self.step)
        let at = row * columns + column
        let top = nodes[at] + (nodes[at + 1] - nodes[at]) * s
        let bottom = nodes[at + columns] + (nodes[at + columns + 1] - nodes[at + columns]) * s
        return top + (bottom - top) * t
    }
}
