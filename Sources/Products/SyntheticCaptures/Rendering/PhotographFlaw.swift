import DepthGeometry
import Foundation
import Imaging

/// What hides a part of the sheet in one shot, and in another shot another part: a reflection, a finger.
public struct PhotographFlaw: Sendable, Equatable {
    /// What it is.
    public enum Kind: String, CaseIterable, Sendable {
        /// The lamp's reflection in smooth paper: white in the middle, less towards the rim. Depth does not show it.
        case glare
        /// A finger that reaches in from the photograph's right rim, some millimetres above the sheet.
        case finger
    }

    /// What it is.
    public var kind: Kind
    /// Its middle or tip, as shares of the sheet's width and height.
    public var place: SIMD2<Double>
    /// How far it reaches from there, in metres.
    public var radius: Double

    /// A flaw at a place of the sheet.
    public init(_ kind: Kind, at place: SIMD2<Double>, radius: Double) {
        self.kind = kind
        self.place = place
        self.radius = radius
    }
}

extension PhotographFlaw {
    /// Light of a reflection's middle, in that of white paper: clipped, as lamps are.
    private static let glareLight = 3.0
    /// A reflection's deviation, as a share of its radius: at the radius a tenth of a white surface's light is left of it.
    private static let glareSpread = 0.38
    /// Linear red, green and blue of skin in open light.
    private static let skin = SIMD3(0.46, 0.24, 0.17)
    /// How high a finger lies above the sheet, in metres.
    private static let fingerHeight = 0.008

    /// How far a pixel lies from the flaw's core, in its radii.
    private func distance(
        of pixel: SIMD2<Double>, from middle: SIMD2<Double>, radius: Double
    ) -> Double {
        var offset = pixel - middle
        // A finger goes on to the right from its tip.
        if kind == .finger { offset.x = min(offset.x, 0) }
        return offset.length / radius
    }

    /// The photograph with the flaw in it. O(pixels).
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
                    // Half a pixel of edge, as lenses leave; darker towards the sides, as what is round is.
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

    /// The depth map, in metres, with the flaw in it.
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

    /// Its middle and its radius in the photograph's pixels.
    private func seen(in scene: SyntheticScene) -> (middle: SIMD2<Double>, radius: Double) {
        let point = scene.pose(
            scene.surface.point(u: place.x * scene.document.width, v: place.y * scene.document.height))
        return (scene.camera.project(point), radius * scene.camera.fx / point.z)
    }
}

extension RGB {
    /// The colour whose channels' linear light is changed.
    fileprivate func mapLight(_ change: (_ channel: Int, _ light: Double) -> Double) -> RGB {
        func changed(_ channel: Int, _ value: UInt8) -> UInt8 {
            let light = change(channel, SRGBCurve.light(of: Double(value) / 255))
            return UInt8((SRGBCurve.value(of: min(max(light, 0), 1)) * 255).rounded())
        }
        return RGB(red: changed(0, red), green: changed(1, green), blue: changed(2, blue))
    }
}
