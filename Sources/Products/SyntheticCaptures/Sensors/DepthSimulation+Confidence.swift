import DepthGeometry
import Imaging

extension DepthSimulation {
    /// How many pixels around a depth edge an honest sensor does not trust.
    private static let edgeReach = 2
    /// The cosine between ray and normal below which an honest sensor has medium confidence: 60 degrees.
    private static let leastCosine = 0.5
    /// The size of the clumps that a lying map marks as bad (deviation in pixels), and the value that smooth noise exceeds on
    /// a third of the map.
    private static let clump = 6.0
    private static let third: Float = 0.43

    /// Returns the sensor's confidence in its readings, 0 to 2; nil if it gives none.
    func confidence() -> Raster<UInt8>? {
        guard sensor.confidence != .none else { return nil }
        let depth = trueDepth(camera).depth
        let (width, height) = (depth.width, depth.height)
        let clumps =
            sensor.confidence == .lying
            ? correlatedNoise(width: width, height: height, deviation: Self.clump, stream: 11) : []
        var levels = [UInt8](repeating: 2, count: width * height)
        var edges = [Bool](repeating: false, count: width * height)
        for y in 0..<height {
            for x in 0..<width where depthAcrossEdge(depth, x, y) != nil {
                for j in max(0, y - Self.edgeReach)...min(height - 1, y + Self.edgeReach) {
                    for i in max(0, x - Self.edgeReach)...min(width - 1, x + Self.edgeReach) {
                        edges[j * width + i] = true
                    }
                }
            }
        }
        for y in 0..<height {
            for x in 0..<width {
                let at = y * width + x
                switch sensor.confidence {
                case .none: break
                case .honest:
                    if edges[at] {
                        levels[at] = 0
                    } else if slant(depth, x, y) < Self.leastCosine {
                        levels[at] = 1
                    }
                case .lying:
                    if !edges[at], clumps[at] > Self.third { levels[at] = 0 }
                }
            }
        }
        return Raster(width: width, height: height, elements: levels)
    }
}
