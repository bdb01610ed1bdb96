extension PageFrame {
    /// The same rectangle after turning the image clockwise by quarter turns.
    ///
    /// After one turn, the image's former top is on its right, and its former lower left corner is the upper left.
    package func turned(clockwiseQuarters: Int) -> PageFrame {
        var frame = self
        for _ in 0..<((clockwiseQuarters % 4 + 4) % 4) {
            frame = PageFrame(
                origin: frame.origin + frame.yAxis * frame.size.y, xAxis: -frame.yAxis,
                size: SIMD2(frame.size.y, frame.size.x))
        }
        return frame
    }
}
