public import ReceiptFlattening
public import SheetGuidance
public import ImageFiles

extension ReceiptCaptureController {
    /// Options of a controller.
    public struct Configuration: Sendable {
        /// Which of several cameras to use. If the preferred one is missing or cannot be prepared, the next best stands in.
        public enum PreferredSource: Equatable, Sendable {
            /// A LiDAR camera; without one as `bestAvailable`.
            case lidarIfAvailable
            /// A camera of two lenses; without one as `bestAvailable`.
            case dualCameraIfAvailable
            /// The best one for a sheet at arm's length: structured light, LiDAR, two lenses, others with depth, one lens, any
            /// other.
            case bestAvailable
            /// A camera of this kind and no other.
            case specific(ReceiptCameraKind)
        }

        /// Which of several cameras to use. Default: a LiDAR camera if there is one.
        public var preferredSource = PreferredSource.lidarIfAvailable
        /// Whether a receipt without usable depth is an error. Default: no; it is flattened without depth, and the report says
        /// so.
        public var requiresDepth = false
        /// How to flatten and read the capture.
        public var flattening = ReceiptFlattener.Options()
        /// The format of an image that is saved under a name without an extension. Default: PNG.
        public var outputFormat = ImageWriter.Format.png
        /// The thresholds of guidance: of a preview's, and of what releases the shutter by itself.
        public var guidance = GuidanceOptions()
        /// Whether a capture watches the camera's previews and takes the photograph by itself, once guidance has said
        /// `ready` for ``readySeconds``. Default: no; it takes the photograph at once.
        ///
        /// A capture that waits ends with the photograph, with an error of the camera, or by being cancelled: who wants to
        /// release the shutter by hand takes a controller without this.
        public var capturesWhenReady = false
        /// For how many seconds guidance must have said `ready` of one sheet without a break, by the frames' own clock; at
        /// least 0. Default: 0.5, as long as a hand that only passes through a good place does not rest there.
        ///
        /// It adds to `GuidanceOptions/calmFrames`, after which guidance says so for the first time.
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
        // `sorted` does not promise to be stable.
        return cameras.enumerated().sorted {
            (rank($0.element), $0.offset) < (rank($1.element), $1.offset)
        }.map(\.element)
    }
}
