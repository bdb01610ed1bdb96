extension PageFrame {
    /// The same rectangle seen after turning the picture clockwise by quarter turns.
    ///
    /// After one turn the picture's right is what was up, and its upper left corner what was the lower left.
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
