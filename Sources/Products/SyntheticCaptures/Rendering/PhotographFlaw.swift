import DepthGeometry
import Foundation
import Imaging

/// Something that hides a part of the sheet in one shot, and another part in another shot: a reflection, a finger.
public struct PhotographFlaw: Sendable, Equatable {
    /// The kind of flaw.
    public enum Kind: String, CaseIterable, Sendable {
        /// The lamp's reflection in smooth paper: white in the middle, weaker towards the edge. It does not show in depth.
        case glare
        /// A finger that reaches in from the photograph's right edge, some millimetres above the sheet.
        case finger
    }

    /// The kind of flaw.
    public var kind: Kind
    /// The position of its middle or tip, as shares of the sheet's width and height.
    public var place: SIMD2<Double>
    /// Its radius in metres.
    public var radius: Double

    /// Creates a flaw at a place of the sheet.
    public init(_ kind: Kind, at place: SIMD2<Double>, radius: Double) {
        self.kind = kind
        self.place = place
        self.radius = radius
    }
}

extension PhotographFlaw {
    /// Light in a reflection's middle, relative to white paper: clipped in the photograph.
    private static let glareLight = 3.0
    /// A reflection's deviation, as a share of its radius: at the radius, it adds a tenth of a white surface's light.
    private static let glareSpread = 0.38
    /// Linear red, green and blue of skin in open light.
    private static let skin = SIMD3(0.46, 0.24, 0.17)
    /// Height of a finger above the sheet, in metres.
    private static let fingerHeight = 0.008

    /// Returns a pixel's distance from the flaw's core, in radii.
    private func distance(
        of pixel: SIMD2<Double>, from middle: SIMD2<Double>, radius: Double
    ) -> Double {
        var offset = pixel - middle
        // A finger extends from its tip to the right.
        if kind == .finger { offset.x = min(offset.x, 0) }
        return offset.length / radius
    }

    /// Returns the photograph with the flaw. O(pixels).
    func painted(on image: RGBImage, of scene: SyntheticScene) -> RGBImage {
        let (middle, radius) = seen(in: scene)
        var image = image
        for y in 0..<image.height {
            for x in 0..<image.width {
                let away = distance(of: SIMD2(Double(x), Double(y)), from: middle, radius: radius)
                switch kind {
                case .glare:
                    guard away < 2 else { continue }
                    let added =
                        Self.glareLight * exp(-away * away / (2 * Self.glareSpread * Self.glareSpread))
                    image[x: x, y: y] = image[x: x, y: y].mapLight { _, light in light + added }
                case .finger:
                    // Half a pixel of soft edge, as lenses produce; darker towards the sides, as on a round object.
                    let cover = min(max((1 - away) * radius + 0.5, 0), 1)
                    guard cover > 0 else { continue }
                    let shade = 1 - 0.5 * min(away, 1) * min(away, 1)
                    image[x: x, y: y] = image[x: x, y: y].mapLight { channel, light in
                        light * (1 - cover) + Self.skin[channel] * shade * cover
                    }
                }
            }
        }
        return image
    }

    /// Returns the depth map, in metres, with the flaw.
    func painted(on depth: Raster<Float>, of scene: SyntheticScene) -> Raster<Float> {
        guard kind == .finger else { return depth }
        let (middle, radius) = seen(in: scene)
        let scale = Double(scene.camera.imageSize.width) / Double(depth.width)
        var depth = depth
        for y in 0..<depth.height {
            for x in 0..<depth.width {
                let pixel = (SIMD2(Double(x), Double(y)) + 0.5) * scale - 0.5
                if distance(of: pixel, from: middle, radius: radius) < 1 {
                    depth[x: x, y: y] -= Float(Self.fingerHeight)
                }
            }
        }
        return depth
    }

    /// Returns the flaw's middle and its radius in the photograph's pixels.
    private func seen(in scene: SyntheticScene) -> (middle: SIMD2<Double>, radius: Double) {
        let point = scene.pose(
            scene.surface.point(u: place.x * scene.document.width, v: place.y * scene.document.height))
        return (scene.camera.project(point), radius * scene.camera.fx / point.z)
    }
}

extension RGB {
    /// Returns the colour with its channels' linear light changed.
    fileprivate func mapLight(_ change: (_ channel: Int, _ light: Double) -> Double) -> RGB {
        func changed(_ channel: Int, _ value: UInt8) -> UInt8 {
            let light = change(channel, SRGBCurve.light(of: Double(value) / 255))
            return UInt8((SRGBCurve.value(of: min(max(light, 0), 1)) * 255).rounded())
        }
        return RGB(red: changed(0, red), green: changed(1, green), blue: changed(2, blue))
    }
}
