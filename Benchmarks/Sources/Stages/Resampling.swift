import Foundation
import Parallelism
import ReceiptFlattening

extension StageCase {
    /// The photograph to a picture of half its pixels.
    static let resampling: [StageCase] = PhotographSize.all.flatMap { size in
        [
            warp("bilinear warp", size, .bilinear, .single) { $0.plane },
            warp("bilinear warp", size, .bilinear, .allCores) { $0.plane },
            warp("bicubic warp", size, .bicubic, .single) { $0.plane },
            warp("bicubic warp", size, .bicubic, .allCores) { $0.plane },
            warp("curved bicubic warp", size, .bicubic, .single) { $0.curved },
            warp("curved bilinear warp", size, .bilinear, .single) { $0.curved },
        ]
    }

    private static func warp(
        _ task: String, _ size: PhotographSize, _ filter: ResamplingFilter, _ threading: Threading,
        map: @escaping @Sendable (Warp) -> SamplingMap
    ) -> StageCase {
        StageCase(.resampling, task, size.label, threading: threading) { inputs in
            let photograph = try inputs.photograph(size)
            let map = map(try Warp(size))
            return Work({ photograph.resampled(through: map, filter: filter, threading: threading) }) {
                flat in
                ["mean": flat.meanLevel]
            }
        }
    }
}

/// What the warps show: the middle half of the photograph, in perspective, at the photograph's own density.
struct Warp {
    /// Nodes of the maps lie as far apart as the pipeline has them.
    static let spacing = 8

    let homography: Homography
    /// As a plane shows it.
    let plane: SamplingMap
    /// As a waved sheet shows it: moved by up to 0.6 % of the width.
    let curved: SamplingMap

    init(_ size: PhotographSize) throws {
        let (width, height) = (Double(size.pixels.width), Double(size.pixels.height))
        func place(_ x: Double, _ y: Double) -> SIMD2<Double> { SIMD2(x * width, y * height) }
        let output = PixelSize(
            width: Int((width * 0.5.squareRoot()).rounded()),
            height: Int((height * 0.5.squareRoot()).rounded()))
        let homography = try Quadrilateral(
            topLeft: place(0.17, 0.13), topRight: place(0.83, 0.16), bottomRight: place(0.87, 0.86),
            bottomLeft: place(0.12, 0.87)
        ).homography(width: Double(output.width), height: Double(output.height))
        self.homography = homography
        plane = SamplingMap(outputSize: output, spacing: Self.spacing) { homography($0) }
        curved = SamplingMap(outputSize: output, spacing: Self.spacing) { point in
            let wave = SIMD2(sin(point.y / height * 14), sin(point.x / width * 9 + point.y / height * 5))
            return homography(point) + wave * (0.006 * width)
        }
    }

    /// The maps for the peers' program.
    struct Description: Encodable {
        /// Rows of the homography from the output's pixels to the photograph's.
        let homography: [Double]
        let width, height, spacing: Int

        init(_ warp: Warp) {
            let rows = warp.homography.rows
            homography = [rows.0, rows.1, rows.2].flatMap { [$0.x, $0.y, $0.z] }
            (width, height) = (warp.plane.outputSize.width, warp.plane.outputSize.height)
            spacing = Warp.spacing
        }

        func write(to path: String) throws {
            try JSONEncoder().encode(self).write(to: URL(filePath: path), options: .atomic)
        }
    }
}

extension SamplingMap {
    /// The nodes as a dense map of their own, for writing them to a file.
    var nodePositions: SamplingMap { SamplingMap(outputSize: nodes.size, spacing: 1, nodes: nodes) }
}
