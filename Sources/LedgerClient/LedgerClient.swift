public import Foundation
@_exported public import LedgerWire

/// Speaks with ledgerd: for apps whose users buy coins, and for services that spend, hold and give them.
///
/// ```swift
/// let client = LedgerClient(url: URL(string: "https://coins.example.com")!) { expired in
///     try await session.accessToken(insteadOf: expired)
/// }
/// let balance = try await client.me.balance()
/// ```
///
/// Every call may be sent more than once without being done more than once: it reads, or it bears an
/// ``IdempotencyKey``, or it is a receipt, which is its own key. So what fails on the way is tried again by itself, as
/// the ``RetryPolicy`` says.
///
/// Calls throw ``LedgerClientError``, and `CancellationError` when their task is cancelled.
public struct LedgerClient: Sendable {
    /// Gives the access token to send.
    ///
    /// It is asked before each call and should answer from memory; what it throws, the call throws as
    /// ``LedgerClientError/token(_:)``.
    ///
    /// - Parameter expired: nil, or the token that the service has just called expired: then a fresh one is wanted.
    public typealias TokenProvider = @Sendable (_ expired: String?) async throws -> String

    let url: URL
    let retries: RetryPolicy
    let token: TokenProvider
    let transport: Transport

    /// Makes a client of a service.
    ///
    /// - Parameters:
    ///   - url: where it serves, such as `https://coins.example.com`; `/v1/…` is put behind it.
    ///   - timeout: seconds after which a request without an answer is given up, and perhaps tried again.
    ///   - retries: how often and how long is tried.
    ///   - token: gives the access token.
    public init(
        url: URL, timeout: TimeInterval = 20, retries: RetryPolicy = RetryPolicy(),
        token: @escaping TokenProvider
    ) {
        self.url = url
        self.retries = retries
        self.token = token
        transport = Transport(timeout: timeout)
    }
}
