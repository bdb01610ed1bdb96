import DepthGeometry
import Foundation
import Testing

@Suite struct PlaneTests {
    @Test("A normal faces the camera whichever way it was given")
    func facing() {
        let plane = Plane(normal: SIMD3(0, 0, 2), offset: -1)
        #expect(plane.normal == SIMD3(0, 0, -1))
        #expect(plane.offset == 0.5)
        #expect(plane == Plane(normal: SIMD3(0, 0, -2), offset: 1))
        #expect(Plane(through: SIMD3(0.1, 0, 0), normal: SIMD3(1, 0, 0)).normal == SIMD3(-1, 0, 0))
        // Through the camera's centre no side faces it.
        #expect(Plane(normal: SIMD3(0, 0, 1), offset: 0).normal.z == -1)
    }

    @Test("Distances are positive on the camera's side")
    func signedDistance() {
        let plane = Plane(through: SIMD3(0, 0, 0.5), normal: SIMD3(0, 0, 1))
        #expect(plane.signedDistance(to: SIMD3(1, 2, 0.2)) == 0.3)
        #expect(plane.signedDistance(to: SIMD3(1, 2, 0.75)) == -0.25)
        #expect(plane.signedDistance(to: .zero) == plane.offset)
        #expect(plane.projection(of: SIMD3(1, 2, 0.75)) == SIMD3(1, 2, 0.5))
    }

    @Test("Three points give their plane, three in a row none")
    func throughPoints() throws {
        let plane = try #require(Plane(through: SIMD3(1, 0, 1), SIMD3(0, 1, 1), SIMD3(0, 0, 1)))
        #expect(plane == Plane(normal: SIMD3(0, 0, -1), offset: 1))
        #expect(Plane(through: SIMD3(0, 0, 1), SIMD3(1, 1, 2), SIMD3(2, 2, 3)) == nil)
        #expect(Plane(through: SIMD3(0, 0, 1), SIMD3(.nan, 1, 2), SIMD3(2, 2, 3)) == nil)
    }

    @Test("A ray meets the plane on the plane and on the ray")
    func intersection() throws {
        let ray = phoneIntrinsics().ray(through: SIMD2(12, 400))
        let point = try #require(tiltedPlane.intersection(along: ray))
        // Three rounding errors at 0.3 m.
        #expect(abs(tiltedPlane.signedDistance(to: point)) < 1e-15)
        #expect((point - ray * point.z).length < 1e-15)
        #expect(tiltedPlane.intersection(along: -ray) == nil)
        let floor = Plane(through: SIMD3(0, 1, 0), normal: SIMD3(0, 1, 0))
        #expect(floor.intersection(along: SIMD3(0, 0, 1)) == nil)
    }

    @Test("Tilt is the angle to the optical axis", arguments: [0, 0.001, 10, 45, 80] as [Double])
    func tilt(angle: Double) {
        let radians = angle * .pi / 180
        let plane = Plane(through: SIMD3(0, 0, 0.3), normal: SIMD3(sin(radians), 0, -cos(radians)))
        // acos near 1 keeps half the digits: 1e-8 radians.
        #expect(abs(plane.tilt - radians) < 2e-8)
        #expect(abs(plane.angle(to: Plane(normal: SIMD3(0, 0, -1), offset: 1)) - radians) < 1e-14)
    }

    @Test("A plane's frame has x to the right and y down as seen from the camera")
    func frame() {
        let frame = PlaneFrame(on: tiltedPlane, origin: SIMD3(0.02, 0.03, 0.4))
        #expect(frame.xAxis.x > 0.9)
        #expect(frame.yAxis.y > 0.9)
        #expect((frame.normal - tiltedPlane.normal).length < 1e-15)
        #expect(abs(frame.xAxis.dot(frame.yAxis)) < 1e-15)
        let coordinates = SIMD2(0.07, -0.11)
        let point = frame.point(coordinates)
        #expect(abs(tiltedPlane.signedDistance(to: point)) < 1e-15)
        #expect((frame.coordinates(of: point + tiltedPlane.normal) - coordinates).length < 1e-15)
        let along = PlaneFrame(on: tiltedPlane, origin: .zero, along: tiltedPlane.normal)
        #expect(abs(along.xAxis.length - 1) < 1e-15)
    }

    @Test("Stored, a plane is its normal and offset, and comes back as it was")
    func storing() throws {
        let back = try JSONDecoder().decode(Plane.self, from: try JSONEncoder().encode(tiltedPlane))
        // The normal is made to length 1 once more: a rounding error.
        #expect((back.normal - tiltedPlane.normal).length < 1e-15)
        #expect(abs(back.offset - tiltedPlane.offset) < 1e-15)
        let text = #"{"normal":[0,0,-1],"offset":0.5}"#
        #expect(
            try JSONDecoder().decode(Plane.self, from: Data(text.utf8))
                == Plane(normal: SIMD3(0, 0, -1), offset: 0.5))
    }

    @Test(
        "A normal of another length than 1 is refused, and so is a missing offset",
        arguments: [
            #"{"normal":[0,0,-2],"offset":1}"#, #"{"normal":[0,0,0],"offset":1}"#, #"{"normal":[0,0,-1]}"#,
        ])
    func refusal(text: String) {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(Plane.self, from: Data(text.utf8))
        }
    }
}
