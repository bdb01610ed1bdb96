public import DepthGeometry
import Captures

/// A source of captures: a camera that an app drives, or a stand-in.
///
/// A controller calls `prepare`, then `capture` or `preview` once or more, then `stop`, one at a time. Errors may be of any
/// type; a ``ReceiptCaptureError`` is passed on unchanged, so that an app can throw `.permissionDenied`.
public protocol ReceiptCamera: Sendable {
    /// The kind of camera; determines which of several is used.
    var kind: ReceiptCameraKind { get }
    /// Whether captures can have depth. A single capture may still lack it.
    var deliversDepth: Bool { get }

    /// Asks for permission and starts the camera.
    func prepare() async throws
    /// Takes a photograph at full size, with depth and intrinsics if known, all of it upright.
    func capture() async throws -> CaptureFrame
    /// Takes a small image quickly, for a preview.
    func preview() async throws -> CaptureFrame
    /// Stops the camera; called after every successful `prepare`.
    func stop() async
}

extension ReceiptCamera {
    /// Does nothing.
    public func prepare() async throws {}
    /// Takes a capture.
    public func preview() async throws -> CaptureFrame { try await capture() }
    /// Does nothing.
    public func stop() async {}
}

/// The kind of camera that delivers a capture; an app may define its own.
public struct ReceiptCameraKind: RawRepresentable, Hashable, Sendable {
    /// A short stable name in lower camel case.
    public let rawValue: String

    /// Creates a kind from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Time of flight: metric depth, a few hundred readings per side.
    public static let lidar = ReceiptCameraKind(rawValue: "lidar")
    /// A projected pattern: metric depth, finer and less noisy at arm's length.
    public static let structuredLight = ReceiptCameraKind(rawValue: "structuredLight")
    /// Two lenses: depth from parallax, often without a true unit.
    public static let dualCamera = ReceiptCameraKind(rawValue: "dualCamera")
    /// One lens: usually no depth.
    public static let wideCamera = ReceiptCameraKind(rawValue: "wideCamera")
    /// A recording on disk.
    public static let recording = ReceiptCameraKind(rawValue: "recording")
}
