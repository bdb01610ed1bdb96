public import ImageFiles

extension ReceiptCaptureController {
    /// What a caller may choose.
    public struct Configuration: Sendable {
        /// Which of several cameras is used. Where the preferred one is not there, or cannot be made ready, the next best is.
        public enum PreferredSource: Equatable, Sendable {
            /// A LiDAR camera; without one as `bestAvailable`.
            case lidarIfAvailable
            /// A camera of two lenses; without one as `bestAvailable`.
            case dualCameraIfAvailable
            /// The one that measures a sheet at arm's length best: structured light, LiDAR, two lenses, others with depth, then
            /// one lens, then whatever there is.
            case bestAvailable
            /// A camera of this kind and no other.
            case specific(ReceiptCameraKind)
        }

        /// Which of several cameras is used. Default: a LiDAR camera if there is one.
        public var preferredSource = PreferredSource.lidarIfAvailable
        /// Whether a receipt without usable depth is an error. Default: no; the flattening goes on without it and its report
        /// says so.
        public var requiresDepth = false
        /// How the capture is flattened and read.
        public var flattening = ReceiptFlattener.Options()
        /// The format in which a picture is saved under a name without an extension. Default: PNG.
        public var outputFormat = ImageWriter.Format.png
        /// From where on a preview's guidance is content.
        public var guidance = GuidanceOptions()

        /// The defaults.
        public init() {}
    }
}

extension ReceiptCaptureController.Configuration {
    /// The cameras that may be used, the first choice first; equal ones in the order given.
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
        // `sorted` does not promise to keep equal ones in order.
        return cameras.enumerated().sorted {
            (rank($0.element), $0.offset) < (rank($1.element), $1.offset)
        }.map(\.element)
    }
}
