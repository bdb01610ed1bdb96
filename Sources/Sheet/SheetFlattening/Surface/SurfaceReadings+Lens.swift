extension SurfaceReadings {
    /// The same readings seen at other pixels, for instance those of a lens that does not distort. O(readings).
    ///
    /// Neighbours stay neighbours: which reading belongs to which depth pixel does not change.
    package func movingPixels(_ move: (SIMD2<Double>) -> SIMD2<Double>) -> SurfaceReadings {
        var moved = self
        moved.pixels = pixels.map(move)
        return moved
    }
}
