public import Foundation
@_exported public import LedgerWire

/// A client of ledgerd: for apps whose users buy coins, for services and for finance.
///
/// ```swift
/// let client = LedgerClient(url: URL(string: "https://coins.example.com")!) { expired in
///     try await session.accessToken(insteadOf: expired)
/// }
/// let balance = try await client.me.balance()
/// ```
///
/// Every call is safe to repeat: it reads, has an ``IdempotencyKey``, or is a receipt, which is its own key. So the
/// client retries temporary failures, as the ``RetryPolicy`` defines.
///
/// Calls throw ``LedgerClientError``, and `CancellationError` when their task is cancelled.
public struct LedgerClient: Sendable {
    /// Returns the access token to send.
    ///
    /// It is called before each request and should answer from memory. The call throws its error as
    /// ``LedgerClientError/token(_:)``.
    ///
    /// - Parameter expired: nil, or the token that the service has just refused as expired: then return a new one.
    public typealias TokenProvider = @Sendable (_ expired: String?) async throws -> String

    let url: URL
    let retries: RetryPolicy
    let token: TokenProvider
    let transport: Transport

    /// Creates a client of a service.
    ///
    /// - Parameters:
    ///   - url: the address of the service, such as `https://coins.example.com`; `/v1/…` is appended.
    ///   - timeout: the number of seconds after which a request without a response ends; it may be retried.
    ///   - retries: the limits of retries.
    ///   - token: returns the access token.
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
