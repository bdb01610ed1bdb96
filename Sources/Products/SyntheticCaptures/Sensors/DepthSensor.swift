import DepthGeometry
import Foundation
import Imaging

/// A depth camera beside the colour camera: its size, its noise model, and how its files store depth.
///
/// All sensors report z-depth registered to the photograph, as phones do. With z the true depth in metres:
///
/// | kind | size | what it reports |
/// |---|---|---|
/// | `perfect` | 640 x 480 | z at each pixel's centre |
/// | `structuredLight` | 640 x 480 | z with noise that grows with z², and holes; see below |
/// | `lidar` | 256 x 192 | z blurred over edges, with a smooth bias; see below |
/// | `stereo` | 640 x 480 | as two cameras match it, errors growing with z²: see ``StereoLaw`` |
/// | `timeOfFlight` | 640 x 480 | z by the phase of modulated light, mixed with reflected light: see ``TimeOfFlightLaw`` |
///
/// `structuredLight` reports z + noise of deviation 0.5 mm · (z / 0.3 m)², correlated over about 2 pixels. There is no reading
/// where the surface slants by more than 78 degrees from the ray, for about half the pixels at depth edges, and for up to a
/// third where less than 8 % of the light is reflected. One edge pixel in five flies between front and back.
///
/// `lidar` reports z of front and back mixed by a Gaussian of 1 pixel (2.4 pixels wide at half height) + a smooth bias of
/// deviation 2 mm and wavelengths of 80 to 240 pixels + white noise of 0.3 mm.
public struct DepthSensor: Sendable, Equatable {
    /// The kind of sensor, which determines the noise model.
    public enum Kind: String, CaseIterable, Sendable {
        /// No noise at all.
        case perfect
        /// A projected pattern and a camera, as in cameras for face recognition.
        case structuredLight
        /// A few time-of-flight readings, interpolated with the help of the image.
        case lidar
        /// Two infrared cameras and a projected texture, as in Intel's RealSense D4xx.
        case stereo
        /// The phase of modulated light at every pixel, as in Azure Kinect.
        case timeOfFlight
    }

    /// How a capture's folder stores depth.
    public enum Encoding: Sendable, Equatable {
        /// 16-bit PNG, 0 = no reading.
        case png16(metersPerUnit: Double)
        /// 32-bit floating-point TIFF in metres, NaN = no reading.
        case tiff32
    }

    /// The confidence map that comes with depth.
    public enum Confidence: String, CaseIterable, Sendable {
        /// No map is written.
        case none
        /// Low within two pixels of a depth edge, medium where the surface is slanted by more than 60 degrees, otherwise
        /// high.
        case honest
        /// Wrong: high at edges, where flying pixels are, and low on about a third of all good readings, in clumps.
        case lying
    }

    /// The kind.
    public var kind: Kind
    /// Pixels along the longer side of the image.
    public var longSide: Int
    /// Pixels along the shorter side of the image.
    public var shortSide: Int
    /// How files store depth.
    public var encoding: Encoding
    /// The share of the slow error's variance that all shots of a still scene share, 0 to 1. No number of frames averages it
    /// out; its size differs between devices.
    public var sharedBias = 0.0
    /// The kind of confidence map.
    public var confidence = Confidence.none

    /// Creates a sensor of any size.
    public init(
        kind: Kind, longSide: Int, shortSide: Int, encoding: Encoding = .png16(metersPerUnit: 0.0001)
    ) {
        precondition(longSide >= shortSide && shortSide >= 8, "a depth map has some pixels")
        self.kind = kind
        self.longSide = longSide
        self.shortSide = shortSide
        self.encoding = encoding
    }

    /// 640 x 480 without noise, stored as floating-point TIFF.
    public static let perfect = DepthSensor(kind: .perfect, longSide: 640, shortSide: 480, encoding: .tiff32)
    /// 640 x 480, 0.5 mm of noise at 0.3 m.
    public static let structuredLight = DepthSensor(kind: .structuredLight, longSide: 640, shortSide: 480)
    /// 256 x 192, 2 mm of slow bias.
    public static let lidar = DepthSensor(kind: .lidar, longSide: 256, shortSide: 192)

    /// 640 x 480, 3.5 mm of slow error at 1 m.
    public static let stereo = DepthSensor(
        kind: .stereo, longSide: 640, shortSide: 480, encoding: .png16(metersPerUnit: 0.001))
    /// 640 x 480, 2 mm of slow error, more in hollows.
    public static let timeOfFlight = DepthSensor(
        kind: .timeOfFlight, longSide: 640, shortSide: 480, encoding: .png16(metersPerUnit: 0.001))

    /// Returns the standard model of a kind.
    public static func named(_ kind: Kind) -> DepthSensor {
        switch kind {
        case .perfect: .perfect
        case .structuredLight: .structuredLight
        case .lidar: .lidar
        case .stereo: .stereo
        case .timeOfFlight: .timeOfFlight
        }
    }

    /// Returns the map's size for an image of `imageSize`.
    func mapSize(imageSize: PixelSize) -> PixelSize {
        imageSize.width >= imageSize.height
            ? PixelSize(width: longSide, height: shortSide) : PixelSize(width: shortSide, height: longSide)
    }

    /// Returns the deviation of a single reading's random error at depth `z`, in metres: without bias, away from edges.
    public func noise(atDepth z: Double) -> Double {
        switch kind {
        case .perfect: return 0
        case .structuredLight: return 0.0005 * (z / 0.3) * (z / 0.3)
        case .lidar: return 0.0003
        case .stereo: return StereoLaw.fast * StereoLaw.depthOfPixel(at: z)
        case .timeOfFlight: return TimeOfFlightLaw.noise(atDepth: z)
        }
    }

    /// Returns the deviation of the slowly varying error at depth `z`, in metres, without the error that light from hollows
    /// adds.
    public func bias(atDepth z: Double) -> Double {
        switch kind {
        case .perfect, .structuredLight: 0
        case .lidar: 0.002
        case .stereo: StereoLaw.slow * StereoLaw.depthOfPixel(at: z)
        case .timeOfFlight: TimeOfFlightLaw.slow
        }
    }
}
