package import Imaging

/// An image reduced by a whole factor; each pixel is the mean of the block that it covers.
///
/// A sheet's edge is found first in the reduced image, then in the photograph.
package struct ReducedPicture: Sendable {
    /// The smaller image. Incomplete blocks at the right and lower border average only the pixels they have.
    package let image: RGBImage
    /// How many pixels of the photograph one pixel spans, at least 1.
    package let factor: Int

    /// Wraps an image without reducing it.
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

    /// Converts a position in this image to the photograph (pixel-centre coordinates in both).
    package func photographPoint(_ point: SIMD2<Double>) -> SIMD2<Double> {
        (point + 0.5) * Double(factor) - 0.5
    }

    /// Converts a position in the photograph to this image.
    package func reducedPoint(_ point: SIMD2<Double>) -> SIMD2<Double> {
        (point + 0.5) / Double(factor) - 0.5
    }
}
