import DepthGeometry
public import Imaging

extension SurfaceReadings {
    /// Removes the sensor's slowly varying error from the readings, if the table around the sheet shows it (`SlowErrorField`).
    /// Otherwise returns them unchanged, with the size of that error as far as the table shows it (`TableFlatness`).
    ///
    /// Positions must still be those of the depth map: call `movingPixels(_:)` afterwards. O(depth pixels + cells³) as
    /// `SlowErrorField`.
    /// - Parameters:
    ///   - depth: the map that the readings come from.
    ///   - outline: the sheet's outline in photograph pixels.
    public func correctingSlowError(
        in depth: DepthMap, around outline: [SIMD2<Double>]
    ) -> SurfaceReadings {
        let polygon = outline.map { ($0 + 0.5) / depthPixelSize - 0.5 }
        var corrected = self
        let field = SlowErrorField(in: depth, around: polygon)
        if let field {
            for index in depths.indices {
                let inverse = 1 / depths[index] - field.error(x: Int(cells[index].x), y: Int(cells[index].y))
                // The field is a small share of the distance; a reading that it moves past infinity is not corrected.
                if inverse > 0 { corrected.depths[index] = 1 / inverse }
            }
        }
        corrected.slowError = field?.remaining ?? TableFlatness.deviation(in: depth, around: polygon)
        return corrected
    }
}
