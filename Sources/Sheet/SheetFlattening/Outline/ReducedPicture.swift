package import Imaging

/// A picture made smaller by a whole factor, each pixel the mean of the block that it covers.
///
/// A sheet's edge is found in such a picture first, and in the photograph afterwards.
package struct ReducedPicture: Sendable {
    /// The smaller picture. Blocks at the right and lower rim that are cut off count only their own pixels.
    package let image: RGBImage
    /// How many pixels of the photograph one pixel spans, at least 1.
    package let factor: Int

    /// Takes a picture as it is.
    package init(_ image: RGBImage) {
        self.image = image
        factor = 1
    }

    /// Reduces so that the longer side has at most `longestSide` pixels. O(pixels), one pass.
    /// - Precondition: `longestSide >= 1`.
    package init(reducing picture: ReducedPicture, toLongestSide longestSide: Int) {
        precondition(longestSide >= 1, "a picture has at least one pixel")
        let longest = max(picture.image.width, picture.image.height)
        let step = max(1, (longest + longestSide - 1) / longestSide)
        factor = picture.factor * step
        image = step == 1 ? picture.image : picture.image.blockMeans(step)
    }

    /// The position in the photograph of a position in this picture (pixel-centre coordinates of both).
    package func photographPoint(_ point: SIMD2<Double>) -> SIMD2<Double> {
        (point + 0.5) * Double(factor) - 0.5
    }

    /// The position in this picture of a position in the photograph.
    package func reducedPoint(_ point: SIMD2<Double>) -> SIMD2<Double> {
        (point + 0.5) / Double(factor) - 0.5
    }
}
