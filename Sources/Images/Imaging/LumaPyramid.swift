/// An image's brightness at its own size and at a half, a quarter ... of it.
package struct LumaPyramid: Sendable {
    /// The levels from fine to coarse; each pixel is the mean of four of the previous level. A last odd row or column is
    /// left out.
    package let levels: [GrayImage]

    /// Halves the image until its longer side has at most 48 pixels. O(pixels).
    package init(_ image: RGBImage) {
        var levels = [image.gray()]
        while let last = levels.last, max(last.width, last.height) > 48, min(last.width, last.height) > 1 {
            levels.append(last.halved())
        }
        self.levels = levels
    }

    /// The size of the finest level.
    package var size: PixelSize { levels[0].size }

    /// The level smaller than the finest by 2 to the power of `index`, or the coarsest level available.
    package func level(_ index: Int) -> GrayImage { levels[min(index, levels.count - 1)] }
}
