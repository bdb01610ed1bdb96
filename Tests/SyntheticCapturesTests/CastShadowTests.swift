import Foundation
import Testing

@testable import SyntheticCaptures

@Suite("Cast shadows")
struct CastShadowTests {
    private let zenith = SIMD3(0.0, 0, -1)

    @Test(
        "The border lies at its place for the lamp's middle, whatever its direction",
        arguments: [0.4, 0.9, 1.5])
    func theBorderLiesAtItsPlace(elevation: Double) {
        let lamp = SceneLight.direction(azimuth: 2.1, elevation: elevation)
        let shadow = CastShadow(place: SIMD2(0.01, 0.02), direction: 0.7, height: 0.1)
        let across = SIMD3(cos(0.7), sin(0.7), 0)
        let place = SIMD3(0.01, 0.02, 0)
        #expect(shadow.covers(place + across * 1e-9, from: lamp, lamp: lamp))
        #expect(!shadow.covers(place - across * 1e-9, from: lamp, lamp: lamp))
    }

    @Test(
        "For the lamp's rim the border moves by the height over the point times the tangent",
        arguments: [0.0, 0.03])
    func thePenumbraGrowsWithTheHeight(rise: Double) {
        let shadow = CastShadow(place: .zero, direction: 0, height: 0.1)
        let angle = 0.05
        let rim = SIMD3(sin(angle), 0, -cos(angle))
        let border = -(0.1 - rise) * tan(angle)
        #expect(shadow.covers(SIMD3(border + 1e-9, 0.4, -rise), from: rim, lamp: zenith))
        #expect(!shadow.covers(SIMD3(border - 1e-9, 0.4, -rise), from: rim, lamp: zenith))
    }
}
