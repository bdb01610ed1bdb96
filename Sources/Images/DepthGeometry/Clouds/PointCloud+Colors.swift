package import Imaging

extension PointCloud {
    /// The colour of each point in an image: that of the pixel that it falls on. O(points).
    /// - Parameters:
    ///   - image: the image that belongs to the depth map.
    ///   - intrinsics: the image's, at any resolution of the same shape; the cloud lies in this camera's frame.
    ///   - distortion: the lens, for the same image as `intrinsics`.
    ///   - outside: the colour of points that fall outside the image.
    package func colors(
        from image: RGBImage, intrinsics: CameraIntrinsics, distortion: LensDistortion? = nil,
        outside: RGB = .white
    ) -> [RGB] {
        let camera = Camera(intrinsics: intrinsics, distortion: distortion)
        let scaled = image.size == intrinsics.imageSize ? camera : camera.scaled(to: image.size)
        return positions.map { point in
            let pixel = scaled.project(SIMD3<Double>(point))
            // Compare before converting to `Int`: a distorted projection may be any number or NaN.
            guard pixel.x >= -0.5, pixel.y >= -0.5, pixel.x < Double(image.width) - 0.5,
                pixel.y < Double(image.height) - 0.5
            else { return outside }
            let x = min(Int((pixel.x + 0.5).rounded(.down)), image.width - 1)
            let y = min(Int((pixel.y + 0.5).rounded(.down)), image.height - 1)
            return image.elements[y * image.width + x]
        }
    }
}
