package import Imaging

extension PointCloud {
    /// The colour at which each point is seen in a picture: of the pixel that it falls on. O(points).
    /// - Parameters:
    ///   - image: the picture that belongs to the depth map.
    ///   - intrinsics: the picture's, at any resolution of the same shape; the cloud lies in this camera's frame.
    ///   - distortion: the lens, for the same picture as `intrinsics`.
    ///   - outside: the colour of points that fall outside the picture.
    package func colors(
        from image: RGBImage, intrinsics: CameraIntrinsics, distortion: LensDistortion? = nil,
        outside: RGB = .white
    ) -> [RGB] {
        let camera = Camera(intrinsics: intrinsics, distortion: distortion)
        let scaled = image.size == intrinsics.imageSize ? camera : camera.scaled(to: image.size)
        return positions.map { point in
            let pixel = scaled.project(SIMD3<Double>(point))
            // Compared before it is made whole: a distorted projection may be anything.
            guard pixel.x >= -0.5, pixel.y >= -0.5, pixel.x < Double(image.width) - 0.5,
                pixel.y < Double(image.height) - 0.5
            else { return outside }
            let x = min(Int((pixel.x + 0.5).rounded(.down)), image.width - 1)
            let y = min(Int((pixel.y + 0.5).rounded(.down)), image.height - 1)
            return image.elements[y * image.width + x]
        }
    }
}
