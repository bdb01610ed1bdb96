import DepthGeometry
import Foundation
import Imaging

/// Finds the place of the sheet that each ray of a camera hits first.
///
/// There is one ray per pixel centre. The mesh's triangles are drawn into an inverse-depth buffer, nearest first; depth and
/// flat coordinates are interpolated with perspective (1/z, u/z and v/z are affine in the image), so a hit is exactly on the
/// ray and on the mesh.
struct SheetRasterizer: Sendable {
    private let columns: Int
    private let rows: Int
    private let stepU: Double
    private let stepV: Double
    /// Projections in pixels and inverse depths in 1/metre; 0 = behind the camera.
    private let x: [Double]
    private let y: [Double]
    private let w: [Double]
    /// The first and last image row that each row of quads can touch.
    private let reach: [(first: Int, last: Int)]
    private let cut: EndCut.Profile?
    private let sheetHeight: Double

    init(mesh: SheetMesh, camera: CameraIntrinsics, pose: CameraPose) {
        columns = mesh.columns
        rows = mesh.rows
        stepU = mesh.stepU
        stepV = mesh.stepV
        cut = mesh.cut
        sheetHeight = Double(mesh.rows - 1) * mesh.stepV
        var x: [Double] = []
        var y: [Double] = []
        var w: [Double] = []
        x.reserveCapacity(mesh.points.count)
        y.reserveCapacity(mesh.points.count)
        w.reserveCapacity(mesh.points.count)
        for point in mesh.points {
            let seen = pose(point)
            let inverse = seen.z > 0.01 ? 1 / seen.z : 0
            x.append(camera.fx * seen.x * inverse + camera.cx)
            y.append(camera.fy * seen.y * inverse + camera.cy)
            w.append(inverse)
        }
        let limit = Double(camera.imageSize.height)
        reach = (0..<mesh.rows - 1).map { row in
            var low = Double.infinity
            var high = -Double.infinity
            for index in row * mesh.columns..<(row + 2) * mesh.columns where w[index] > 0 {
                low = min(low, y[index])
                high = max(high, y[index])
            }
            guard low <= high else { return (1, 0) }
            return (Int(min(max(low, -1), limit)), Int(min(max(high, -1), limit)))
        }
        self.x = x
        self.y = y
        self.w = w
    }

    /// The hits of some rows of the image, row-major from the first of those rows.
    struct Hits {
        /// Inverse depth in 1/metre; 0 off the sheet, negative where its back is visible.
        var inverseDepth: UnsafeMutablePointer<Float>
        /// Flat coordinates in metres.
        var u: UnsafeMutablePointer<Float>
        var v: UnsafeMutablePointer<Float>
        let capacity: Int

        init(capacity: Int) {
            self.capacity = capacity
            inverseDepth = .allocate(capacity: capacity)
            u = .allocate(capacity: capacity)
            v = .allocate(capacity: capacity)
            u.initialize(repeating: 0, count: capacity)
            v.initialize(repeating: 0, count: capacity)
            inverseDepth.initialize(repeating: 0, count: capacity)
        }

        func deallocate() {
            inverseDepth.deallocate()
            u.deallocate()
            v.deallocate()
        }
    }

    /// Fills `hits` with image rows `lines` of an image `width` pixels wide. Returns whether anything was hit.
    func draw(lines: Range<Int>, width: Int, into hits: Hits) -> Bool {
        precondition(lines.count * width <= hits.capacity, "the buffer holds the rows")
        hits.inverseDepth.update(repeating: 0, count: lines.count * width)
        var isTouched = false
        x.withUnsafeBufferPointer { x in
            y.withUnsafeBufferPointer { y in
                w.withUnsafeBufferPointer { w in
                    for row in 0..<rows - 1
                    where reach[row].last >= lines.lowerBound && reach[row].first <= lines.upperBound {
                        for column in 0..<columns - 1 {
                            let a = row * columns + column
                            let b = a + 1
                            let c = a + columns
                            let d = c + 1
                            guard w[a] > 0, w[b] > 0, w[c] > 0, w[d] > 0 else { continue }
                            let u = Double(column) * stepU
                            let v = Double(row) * stepV
                            let isUpperDrawn = triangle(
                                Corner(x: x[a], y: y[a], w: w[a], u: u, v: v),
                                Corner(x: x[b], y: y[b], w: w[b], u: u + stepU, v: v),
                                Corner(x: x[d], y: y[d], w: w[d], u: u + stepU, v: v + stepV),
                                lines: lines, width: width, hits: hits)
                            let isLowerDrawn = triangle(
                                Corner(x: x[a], y: y[a], w: w[a], u: u, v: v),
                                Corner(x: x[d], y: y[d], w: w[d], u: u + stepU, v: v + stepV),
                                Corner(x: x[c], y: y[c], w: w[c], u: u, v: v + stepV),
                                lines: lines, width: width, hits: hits)
                            isTouched = isTouched || isUpperDrawn || isLowerDrawn
                        }
                    }
                }
            }
        }
        return isTouched
    }

    private struct Corner {
        let x: Double
        let y: Double
        let w: Double
        let u: Double
        let v: Double
    }

    @inline(__always)
    private func triangle(
        _ a: Corner, _ b: Corner, _ c: Corner, lines: Range<Int>, width: Int, hits: Hits
    ) -> Bool {
        let lowX = min(a.x, b.x, c.x)
        let highX = max(a.x, b.x, c.x)
        let lowY = min(a.y, b.y, c.y)
        let highY = max(a.y, b.y, c.y)
        guard highX >= 0, highY >= Double(lines.lowerBound), lowX <= Double(width - 1),
            lowY <= Double(lines.upperBound - 1)
        else { return false }
        let abX = b.x - a.x
        let abY = b.y - a.y
        let acX = c.x - a.x
        let acY = c.y - a.y
        let area = abX * acY - acX * abY
        guard area != 0 else { return false }
        let inverseArea = 1 / area
        // Like the image's axes, u points right and v down, so the printed side has a positive area.
        let side: Double = area > 0 ? 1 : -1

        let firstX = max(Int(lowX.rounded(.up)), 0)
        let lastX = min(Int(highX), width - 1)
        let firstY = max(Int(lowY.rounded(.up)), lines.lowerBound)
        let lastY = min(Int(highY), lines.upperBound - 1)
        guard firstX <= lastX, firstY <= lastY else { return false }
        let stepB = b.w - a.w
        let stepC = c.w - a.w
        let auw = a.u * a.w
        let avw = a.v * a.w
        let stepUB = b.u * b.w - auw
        let stepUC = c.u * c.w - auw
        let stepVB = b.v * b.w - avw
        let stepVC = c.v * c.w - avw
        // Rays that pass exactly between two triangles belong to both.
        let rim = -1e-9
        var isDrawn = false
        for py in firstY...lastY {
            let dy = Double(py) - a.y
            let line = (py - lines.lowerBound) * width
            for px in firstX...lastX {
                let dx = Double(px) - a.x
                let towardB = (dx * acY - acX * dy) * inverseArea
                let towardC = (abX * dy - dx * abY) * inverseArea
                guard towardB >= rim, towardC >= rim, towardB + towardC <= 1 - rim else { continue }
                let inverseDepth = a.w + towardB * stepB + towardC * stepC
                guard Float(inverseDepth) > abs(hits.inverseDepth[line + px]) else { continue }
                let u = (auw + towardB * stepUB + towardC * stepUC) / inverseDepth
                let v = (avw + towardB * stepVB + towardC * stepVC) / inverseDepth
                if let cut, !cut.keeps(u: u, v: v, height: sheetHeight) { continue }
                hits.inverseDepth[line + px] = Float(side * inverseDepth)
                hits.u[line + px] = Float(u)
                hits.v[line + px] = Float(v)
                isDrawn = true
            }
        }
        return isDrawn
    }
}
