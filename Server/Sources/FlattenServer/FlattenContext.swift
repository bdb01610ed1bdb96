public import Hummingbird
public import NIOCore

/// What belongs to a request besides its words: the connection by which it came.
public struct FlattenContext: RequestContext {
    /// What Hummingbird keeps of each request.
    public var coreContext: CoreRequestContextStorage
    /// The connection; with HTTP/2, which carries several requests at once, the request's stream in it.
    let channel: any Channel

    /// The context of a request that came by a connection.
    public init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        channel = source.channel
    }

    /// Whether it came by HTTP/2. A stream lies within a connection, which lies within the socket that listens; a connection of
    /// HTTP/1 lies within the latter at once.
    var isStream: Bool { channel.parent?.parent != nil }
}
