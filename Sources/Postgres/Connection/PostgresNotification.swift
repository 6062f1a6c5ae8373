/// A message sent by `NOTIFY`.
public struct PostgresNotification: Hashable, Sendable {
    /// The channel on which it was sent.
    public let channel: String
    /// Its text, often empty.
    public let payload: String
    /// The server process of the session that sent it.
    public let senderProcess: Int32
}
