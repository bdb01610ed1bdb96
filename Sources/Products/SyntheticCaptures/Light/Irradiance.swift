import Parallelism
import Foundation
import Imaging

/// The light on both sides of the sheet and on the table around it, relative to the open table.
///
/// For each of a few dozen directions, the sheet's points are sorted into cells of a map perpendicular to the direction,
/// which keeps the point nearest to the light (a shadow map: Williams 1978). A place is lit from that direction unless
/// something in its cell is clearly nearer. Many directions make the shadows soft. Paper lets some light through.
struct Irradiance: Sendable {
    /// Light on the printed side and on the back at the mesh's points.
    let front: [Float]
    let back: [Float]
    /// Light on the table: a raster over x and y of the table frame, 1 outside.
    let table: [Float]
    let tableColumns: Int
    let tableRows: Int
    let tableOrigin: SIMD2<Double>
    static let tableStep = 0.0015
    /// The share of the open table's light that the table around a sheet reflects: some of it lies in the sheet's shadow.
    private static let openTable = 0.8
    /// The same for the table below a sheet, which gets half as much light.
    private static let coveredTable = 0.4
    /// How far a sheet may rise within one cell of the shadow map, in cells, before it shades itself.
    private static let slackCells = 1.5
    /// The cosine below which the rise of a slanted sheet within a cell is no longer followed: 78 degrees.
    private static let leastCosine = 0.2
    private static let transmission = 0.14

    init(
        mesh: SheetMesh, light: SceneLight, quality: RenderingQuality, tableReflectance: Double,
        threading: Threading
    ) {
        let lamp = light.lampDirections(count: quality.lampDirections)
        let sky = SceneLight.skyDirections(count: quality.skyDirections)
        let cell = max(0.001, 1.2 * max(mesh.stepU, mesh.stepV))
        let shading = mesh.remainingPoints
        let lampMiddle = SceneLight.direction(azimuth: light.azimuth, elevation: light.elevation)
        /// Whether something other than the sheet shades a point from one of the directions, of which lamp directions come
        /// first.
        @Sendable func isShaded(_ point: SIMD3<Double>, _ index: Int) -> Bool {
            guard let shadow = light.shadow, index < lamp.count else { return false }
            return shadow.covers(point, from: lamp[index], lamp: lampMiddle)
        }
        let maps = (lamp + sky).map { ShadowMap(direction: $0, points: shading, cell: cell) }
        // The weights of the directions in lighting the open table; they sum to 1.
        let lampTotal = lamp.reduce(0) { $0 - $1.z }
        let skyTotal = sky.reduce(0) { $0 - $1.z }
        let strengths =
            lamp.map { _ in (1 - light.ambientShare) / lampTotal }
            + sky.map { _ in light.ambientShare / skyTotal }

        var front = Array(repeating: Float(0), count: mesh.points.count)
        var back = front
        front.withUnsafeMutableBufferPointer { front in
            back.withUnsafeMutableBufferPointer { back in
                let front = DisjointRows(front, rowLength: mesh.columns)
                let back = DisjointRows(back, rowLength: mesh.columns)
                forEachBand(of: 0..<mesh.rows, threading: threading, minimumRows: 1) { rows in
                    for index in rows.lowerBound * mesh.columns..<rows.upperBound * mesh.columns {
                        let (row, column) = index.quotientAndRemainder(dividingBy: mesh.columns)
                        let point = mesh.points[index]
                        let normal = mesh.normal(column: column, row: row)
                        var sums = (front: 0.0, back: 0.0)
                        for (number, (map, strength)) in zip(maps, strengths).enumerated() {
                            if isShaded(point, number) { continue }
                            let d = map.direction
                            let cosine = normal.x * d.x + normal.y * d.y + normal.z * d.z
                            // Within a cell a slanted sheet rises, the more the steeper it is.
                            let slack = Self.slackCells * cell * (1 + 1 / max(abs(cosine), Self.leastCosine))
                            guard map.isLit(point, slack: slack) else { continue }
                            if cosine > 0 {
                                sums.front += strength * cosine
                                sums.back += strength * cosine * Self.transmission
                            } else {
                                sums.back -= strength * cosine
                                sums.front -= strength * cosine * Self.transmission
                            }
                        }
                        // The light that the table reflects onto a side that faces down.
                        let seesTable = (1 + normal.z) / 2
                        front[row][column] = Float(sums.front + Self.openTable * tableReflectance * seesTable)
                        back[row][column] = Float(
                            sums.back + Self.coveredTable * tableReflectance * (1 - seesTable))
                    }
                }
            }
        }
        // The cells of the shadow maps leave faint stripes; two passes of a mean over three by three points hide them.
        self.front = Self.smoothed(front, columns: mesh.columns, rows: mesh.rows)
        self.back = Self.smoothed(back, columns: mesh.columns, rows: mesh.rows)

        // Beyond the margin the table is open: the sheet's shadow ends within the first margin, the image within the second.
        let margin = light.shadow == nil ? 0.09 : 0.3
        var low = SIMD2(Double.infinity, Double.infinity)
        var high = -low
        for point in mesh.points {
            low = SIMD2(min(low.x, point.x), min(low.y, point.y))
            high = SIMD2(max(high.x, point.x), max(high.y, point.y))
        }
        let origin = low - margin
        let columns = Int(((high.x - low.x + 2 * margin) / Self.tableStep).rounded(.up)) + 1
        let rows = Int(((high.y - low.y + 2 * margin) / Self.tableStep).rounded(.up)) + 1
        var table = Array(repeating: Float(1), count: columns * rows)
        table.withUnsafeMutableBufferPointer { table in
            let table = DisjointRows(table, rowLength: columns)
            forEachBand(of: 0..<rows, threading: threading, minimumRows: 1) { band in
                for index in band.lowerBound * columns..<band.upperBound * columns {
                    let (row, column) = index.quotientAndRemainder(dividingBy: columns)
                    let point = SIMD3(
                        origin.x + Double(column) * Self.tableStep, origin.y + Double(row) * Self.tableStep, 0
                    )
                    var lost = 0.0
                    var dark = 0.0
                    for (number, (map, strength)) in zip(maps, strengths).enumerated() {
                        if isShaded(point, number) {
                            dark -= strength * map.direction.z
                        } else if !map.isLit(point, slack: 0.0003) {
                            lost -= strength * map.direction.z
                        }
                    }
                    table[row][column] = Float(1 - dark - lost * (1 - Self.transmission))
                }
            }
        }
        self.table = table
        tableColumns = columns
        tableRows = rows
        tableOrigin = origin
    }

    private static func smoothed(_ values: [Float], columns: Int, rows: Int) -> [Float] {
        func mean(_ before: Float, _ here: Float, _ after: Float) -> Float { (before + here + after) / 3 }
        return Raster(width: columns, height: rows, elements: values).smoothed(mean).smoothed(mean).elements
    }

    /// For each cell perpendicular to one direction, the distance of the sheet's point nearest to the light.
    private struct ShadowMap: Sendable {
        let direction: SIMD3<Double>
        private let right: SIMD3<Double>
        private let down: SIMD3<Double>
        private let origin: SIMD2<Double>
        private let scale: Double
        private let columns: Int
        private let rows: Int
        private let nearest: [Float]

        init(direction: SIMD3<Double>, points: [SIMD3<Double>], cell: Double) {
            self.direction = direction
            // Any two perpendicular directions, computed from an axis that is not too near to the direction.
            let helper = abs(direction.x) < 0.7 ? SIMD3(1.0, 0.0, 0.0) : SIMD3(0.0, 1.0, 0.0)
            let along = (helper * direction).sum()
            let plain = helper - direction * along
            let right = plain / (plain * plain).sum().squareRoot()
            let down = SIMD3(
                direction.y * right.z - direction.z * right.y, direction.z * right.x - direction.x * right.z,
                direction.x * right.y - direction.y * right.x)
            var low = SIMD2(Double.infinity, Double.infinity)
            var high = -low
            for point in points {
                let x = point.x * right.x + point.y * right.y + point.z * right.z
                let y = point.x * down.x + point.y * down.y + point.z * down.z
                low = SIMD2(min(low.x, x), min(low.y, y))
                high = SIMD2(max(high.x, x), max(high.y, y))
            }
            let columns = Int((high.x - low.x) / cell) + 1
            let rows = Int((high.y - low.y) / cell) + 1
            var nearest = Array(repeating: -Float.infinity, count: columns * rows)
            nearest.withUnsafeMutableBufferPointer { nearest in
                for point in points {
                    let x = point.x * right.x + point.y * right.y + point.z * right.z
                    let y = point.x * down.x + point.y * down.y + point.z * down.z
                    let z = Float(point.x * direction.x + point.y * direction.y + point.z * direction.z)
                    let at = Int((y - low.y) / cell) * columns + Int((x - low.x) / cell)
                    if z > nearest[at] { nearest[at] = z }
                }
            }
            self.right = right
            self.down = down
            origin = low
            scale = 1 / cell
            self.columns = columns
            self.rows = rows
            self.nearest = nearest
        }

        @inline(__always)
        func isLit(_ point: SIMD3<Double>, slack: Double) -> Bool {
            let x = (point.x * right.x + point.y * right.y + point.z * right.z - origin.x) * scale
            let y = (point.x * down.x + point.y * down.y + point.z * down.z - origin.y) * scale
            guard x >= 0, y >= 0, x < Double(columns), y < Double(rows) else { return true }
            let z = point.x * direction.x + point.y * direction.y + point.z * direction.z
            return Double(nearest[Int(y) * columns + Int(x)]) <= z + slack
        }
    }
}
