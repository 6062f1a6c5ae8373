import HTTPTypes
import Hummingbird
import PGVerifier

/// How the events of a gateway are read.
struct WebhookReader: Sendable {
    /// Refuses a sender that can't be the gateway, before its body is read.
    ///
    /// Returns the network from which unsigned events come; nil: they are signed.
    typealias Admit = @Sendable (Request, LedgerdRequestContext) throws(Problem) -> String?

    /// Verifies and reads an event.
    typealias Read = @Sendable (HTTPFields, [UInt8]) async throws(WebhookError) -> WebhookEvent

    let admit: Admit
    let read: Read
    /// The maximum size of an event, in bytes, larger than any real one.
    var maxBodySize = 16 << 10

    /// A reader of unsigned events.
    init(admit: @escaping Admit, read: @escaping Read) {
        self.admit = admit
        self.read = read
    }

    /// A reader of signed events, which come from anywhere.
    init(maxBodySize: Int? = nil, read: @escaping Read) {
        self.init(admit: { _, _ in nil }, read: read)
        if let maxBodySize { self.maxBodySize = maxBodySize }
    }
}
