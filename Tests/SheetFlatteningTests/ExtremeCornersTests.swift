import Foundation
import Testing

@testable import SheetFlattening

@Suite struct ExtremeCornersTests {
    private static let quadrilateral = [
        SIMD2(2.0, 1), SIMD2(30, 0), SIMD2(60, 3), SIMD2(63, 50), SIMD2(58, 102), SIMD2(30, 99),
        SIMD2(0, 97), SIMD2(-1, 50),
    ]

    @Test func cornersAreTheExtremePointsFromTheUpperLeftOne() {
        #expect(ExtremeCorners.indices(of: Self.quadrilateral) == [0, 2, 4, 6])
    }

    @Test("Where the outline begins does not matter", arguments: 0..<8)
    func start(first: Int) throws {
        let turned = Array(Self.quadrilateral[first...] + Self.quadrilateral[..<first])
        let corners = try #require(ExtremeCorners.indices(of: turned))
        #expect(corners.map { turned[$0] } == [0, 2, 4, 6].map { Self.quadrilateral[$0] })
    }

    @Test("A sheet that lies aslant has its corners along its own sides", arguments: [10.0, 45, 80, 130])
    func aslant(degrees: Double) throws {
        let angle = degrees * .pi / 180
        let turned = Self.quadrilateral.map {
            SIMD2($0.x * cos(angle) - $0.y * sin(angle), $0.x * sin(angle) + $0.y * cos(angle))
        }
        let axis = try #require(ExtremeCorners.direction(of: turned))
        let corners = try #require(ExtremeCorners.indices(of: turned, along: axis))
        #expect(Set(corners) == [0, 2, 4, 6])
    }

    @Test func whatHasNoAreaHasNoCorners() {
        let line = (0..<5).map { SIMD2(Double($0), Double($0)) }
        #expect(ExtremeCorners.direction(of: line) == nil)
        #expect(ExtremeCorners.indices(of: [SIMD2(0, 0), SIMD2(1, 0)]) == nil)
        #expect(ExtremeCorners.indices(of: []) == nil)
    }
}
