public import ReceiptFlattening
public import SheetGuidance
public import ImageFiles

extension ReceiptCaptureController {
    /// Options of a controller.
    public struct Configuration: Sendable {
        /// Which of several cameras to use. If the preferred one is missing or cannot be prepared, the next best is used.
        public enum PreferredSource: Equatable, Sendable {
            /// A LiDAR camera; if there is none, as `bestAvailable`.
            case lidarIfAvailable
            /// A camera with two lenses; if there is none, as `bestAvailable`.
            case dualCameraIfAvailable
            /// The best camera for a sheet at arm's length, in this order: structured light, LiDAR, two lenses, others with
            /// depth, one lens, any other.
            case bestAvailable
            /// A camera of this kind and no other.
            case specific(ReceiptCameraKind)
        }

        /// Which of several cameras to use. Default: a LiDAR camera if there is one.
        public var preferredSource = PreferredSource.lidarIfAvailable
        /// Whether a receipt without usable depth is an error. Default: no; it is then flattened without depth, and the
        /// report says so.
        public var requiresDepth = false
        /// How to flatten and read the capture.
        public var flattening = ReceiptFlattener.Options()
        /// The format of an image saved under a name without an extension. Default: PNG.
        public var outputFormat = ImageWriter.Format.png
        /// The thresholds of guidance, both for previews and for taking the photograph automatically.
        public var guidance = GuidanceOptions()
        /// Whether a capture watches the camera's previews and takes the photograph automatically, once guidance has said
        /// `ready` for ``readySeconds``. Default: no; it takes the photograph at once.
        ///
        /// A waiting capture ends with the photograph, with an error of the camera, or by being cancelled. To release the
        /// shutter by hand, use a controller without this setting.
        public var capturesWhenReady = false
        /// How many seconds guidance must say `ready` of one sheet without a break, by the frames' own clock; at least 0.
        /// Default: 0.5, which a hand that only passes through a good position does not reach.
        ///
        /// This time is added to `GuidanceOptions/calmFrames`, after which guidance first says `ready`.
        public var readySeconds = 0.5

        /// The defaults.
        public init() {}
    }
}

extension ReceiptCaptureController.Configuration {
    /// The permitted cameras in order of preference; equal ones in the order given.
    func ranked(_ cameras: [any ReceiptCamera]) -> [any ReceiptCamera] {
        let preferred: ReceiptCameraKind? =
            switch preferredSource {
            case .lidarIfAvailable: .lidar
            case .dualCameraIfAvailable: .dualCamera
            case .bestAvailable, .specific: nil
            }
        if case .specific(let kind) = preferredSource { return cameras.filter { $0.kind == kind } }
        func rank(_ camera: any ReceiptCamera) -> Int {
            if camera.kind == preferred { return 0 }
            let order: [ReceiptCameraKind] = [.structuredLight, .lidar, .dualCamera]
            if let place = order.firstIndex(of: camera.kind) { return 1 + place }
            return camera.deliversDepth ? 4 : camera.kind == .wideCamera ? 5 : 6
        }
        // `sorted` does not guarantee a stable order.
        return cameras.enumerated().sorted {
            (rank($0.element), $0.offset) < (rank($1.element), $1.offset)
        }.map(\.element)
    }
}
