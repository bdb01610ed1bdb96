extension SurfaceReadings {
    /// Moves the readings to other pixels, for instance those of a lens without distortion. O(readings).
    ///
    /// Each reading keeps its depth pixel, so neighbours stay neighbours.
    package func movingPixels(_ move: (SIMD2<Double>) -> SIMD2<Double>) -> SurfaceReadings {
        var moved = self
        moved.pixels = pixels.map(move)
        return moved
    }
}
