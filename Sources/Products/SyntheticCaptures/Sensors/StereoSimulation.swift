import DepthGeometry
import Foundation
import Imaging

/// The error model of active stereo, in pixels of disparity, so that every error grows with z².
///
/// Models a RealSense D415 at 640 x 480 (baseline 55 mm). Intel gives a depth error of z² · subpixel / (f · baseline) with
/// a subpixel error below 0.1 pixels for a well tuned camera (Grunnet-Jepsen, Sweetser & Woodfill, "Best-known-methods for
/// tuning Intel RealSense D400 depth cameras for best performance"), disparities in steps of 1/32 pixel and a sawtooth
/// between whole disparities (Grunnet-Jepsen et al., "Subpixel linearity improvement for Intel RealSense depth camera D400
/// series"; the effect is that of Shimizu & Okutomi, "Precise sub-pixel estimation on area-based matching", ICCV 2001).
/// Most of the error stays from frame to frame and varies over tens of pixels (Ahn, Chae, Lee & Baek, "Analysis and noise
/// modeling of the Intel RealSense D435 for mobile robots", UR 2019; Halmetschlager-Funek et al., "An empirical evaluation
/// of ten depth cameras", IEEE RAM 2019). Flat paper before real ones leaves 1.8 mm rms at 0.53 m, 4.6 mm at 1.18 m.
public enum StereoLaw {
    /// Disparity at 1 m in pixels: a focal length of 600 pixels times the baseline.
    static let disparityAtMeter = 33.0
    /// Deviation of the slow error in pixels, and its wavelengths in pixels of the map.
    static let slow = 0.115
    static let wavelengths = 25.0..<160.0
    /// Amplitude of the error that repeats with each whole pixel of disparity.
    static let wave = 0.05
    /// Deviation of the error that differs from frame to frame, correlated over the matching window.
    static let fast = 0.04
    /// Deviation of the disparity's offset, which differs between devices: drift since calibration.
    static let offset = 0.05
    /// The step of the disparity.
    static let step = 1.0 / 32
    /// Deviations, in pixels of the map, of the kernels that correlate the frame-to-frame error and the missing readings:
    /// chosen from the size of the matching window and the clumps seen in such maps.
    static let window = 1.5
    static let clump = 3.0
    /// The least cosine between a surface's normal and the ray at which both cameras see it alike: 75 degrees.
    static let leastSlant = 0.26
    /// The threshold on the clump noise, in deviations, above which readings are missing on paper: 1.5 % of them. Second, how
    /// much lower the threshold is where no light is reflected: a third is missing there.
    static let clumpOfHole: Float = 2.17
    static let clumpOfDark: Float = 1.74

    /// Returns the depth difference in metres of one pixel of disparity at depth `z`.
    static func depthOfPixel(at z: Double) -> Double { z * z / disparityAtMeter }
}

extension DepthSimulation {
    func stereo() -> Raster<Float> {
        let truth = trueDepth(camera)
        let (width, height) = (truth.depth.width, truth.depth.height)
        let slow = slowField(width: width, height: height, wavelengths: StereoLaw.wavelengths)
        let fast = correlatedNoise(width: width, height: height, deviation: StereoLaw.window)
        let clumps = correlatedNoise(width: width, height: height, deviation: StereoLaw.clump, stream: 7)
        // A property of the camera, not of the shot.
        let offset = StereoLaw.offset * Double(NoiseHash.normal(NoiseHash.mix(seed ^ 0x57E0), 0))
        let eye = pose.position
        var readings = Raster<Float>(width: width, height: height, filledWith: .nan)
        for y in 0..<height {
            // The left-most column of the right camera that is already covered by surfaces further right.
            var covered = Double.infinity
            for x in stride(from: width - 1, through: 0, by: -1) {
                let at = y * width + x
                let z = truth.depth.elements[at]
                guard z.isFinite else { continue }
                let disparity = StereoLaw.disparityAtMeter / Double(z)
                let matched = Double(x) - disparity
                let isHidden = matched > covered + 0.5
                covered = min(covered, matched)
                // A window across an edge matches neither side; slanted surfaces look different to the two cameras.
                if isHidden || depthAcrossEdge(truth.depth, x, y) != nil
                    || slant(truth.depth, x, y) < StereoLaw.leastSlant
                {
                    continue
                }
                var missing: Float = 0
                if !truth.isSheet.elements[at] {
                    let ray = pose.directionInTable(camera.ray(through: SIMD2(Double(x), Double(y))))
                    missing = Self.missing(at: table.luminance(from: eye, along: ray, seed: seed))
                }
                if clumps[at] > StereoLaw.clumpOfHole - StereoLaw.clumpOfDark * missing { continue }
                let seen =
                    disparity + offset + StereoLaw.slow * Double(slow[at])
                    + StereoLaw.wave * sin(2 * .pi * disparity) + StereoLaw.fast * Double(fast[at])
                let stepped = (seen / StereoLaw.step).rounded() * StereoLaw.step
                if stepped > 1 { readings.elements[at] = Float(StereoLaw.disparityAtMeter / stepped) }
            }
        }
        return readings
    }
}
