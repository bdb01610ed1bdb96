public import Captures

/// What delivers captures: a camera that an app drives, or something that stands in for one.
///
/// A controller calls `prepare`, then `capture` or `preview` once or more, then `stop`, one at a time.
/// Errors may be of any kind; a ``ReceiptCaptureError`` is passed on as it is, so that an app can throw `.permissionDenied`.
public protocol ReceiptCamera: Sendable {
    /// What kind of camera it is; decides which of several is used.
    var kind: ReceiptCameraKind { get }
    /// Whether captures may come with depth. Whether they do is seen when they come.
    var deliversDepth: Bool { get }

    /// Asks for permission and starts the camera.
    func prepare() async throws
    /// Takes a picture at full size, with what is known of depth and camera, all of it upright.
    func capture() async throws -> CaptureFrame
    /// Takes a small picture quickly, for a preview.
    func preview() async throws -> CaptureFrame
    /// Stops the camera; called after every `prepare` that did not throw.
    func stop() async
}

extension ReceiptCamera {
    /// Does nothing.
    public func prepare() async throws {}
    /// A capture.
    public func preview() async throws -> CaptureFrame { try await capture() }
    /// Does nothing.
    public func stop() async {}
}

/// What kind of camera delivers a capture; an app may name kinds of its own.
public struct ReceiptCameraKind: RawRepresentable, Hashable, Sendable {
    /// A short stable name in lower camel case.
    public let rawValue: String

    /// A kind from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Times the light's flight: metric depth, a few hundred readings a side.
    public static let lidar = ReceiptCameraKind(rawValue: "lidar")
    /// Projects a pattern: metric depth, finer and less noisy at arm's length.
    public static let structuredLight = ReceiptCameraKind(rawValue: "structuredLight")
    /// Two lenses: depth from parallax, often without a true unit.
    public static let dualCamera = ReceiptCameraKind(rawValue: "dualCamera")
    /// One lens: as a rule no depth.
    public static let wideCamera = ReceiptCameraKind(rawValue: "wideCamera")
    /// A recording on disk.
    public static let recording = ReceiptCameraKind(rawValue: "recording")
}
