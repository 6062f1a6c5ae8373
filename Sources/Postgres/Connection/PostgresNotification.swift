/// A message sent by `NOTIFY`.
public struct PostgresNotification: Hashable, Sendable {
    /// The channel.
    public let channel: String
    /// The payload, often empty.
    public let payload: String
    /// The server process of the session that sent it.
    public let senderProcess: Int32
}
