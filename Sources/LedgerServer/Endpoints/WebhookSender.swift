import Foundation
import Ledger
import OutboundHTTP
import StandardWebhooks
import Timing

/// Sends one webhook, and says what became of it.
package struct WebhookSender: Sendable {
    let transport: any HTTPTransport
    let url: HTTPURL
    /// Signs as of a moment.
    let signer: @Sendable (Date) -> WebhookSigner

    /// The time that a receiver has for its response.
    static let timeout: Duration = .seconds(15)
    private static let connectTimeout: Duration = .seconds(5)
    /// The size of a response that is read; what follows is not waited for.
    private static let maxResponseBytes = 64 << 10
    /// The size of a response that is kept.
    private static let keptBytes = 1024

    /// What became of an attempt.
    package struct Attempt: Sendable {
        package let outcome: Outcome
        /// The HTTP status; nil: no response.
        package let status: Int?
        package let latency: Duration
        /// The first KiB of the response as text, without NUL; nil: no response.
        package let answer: String?
        /// The delay that the receiver asked for.
        let requestedDelay: Duration?
    }

    /// The kind of result, which is also a label of metrics.
    package enum Outcome: String, Sendable, CaseIterable {
        /// Any 2xx.
        case delivered
        /// A status that is neither 2xx, 3xx, 410 nor 429.
        case refused
        /// 3xx: redirects are not followed.
        case redirected
        /// 410: the receiver wants no more events.
        case gone
        /// 429.
        case tooMany = "too_many"
        case timeout
        case unreachable
        /// The certificate is not trusted.
        case untrusted
        /// The address is in a network that may not be connected to.
        case forbiddenAddress = "forbidden_address"
        /// The connection ended early, or the response is not HTTP.
        case broken
        /// ledgerd stopped; nothing is known.
        case cancelled
    }

    /// Sends a body under an id.
    func send(id: String, body: [UInt8]) async -> Attempt {
        let time = Time.current
        let (now, start) = (time.now, time.instant)
        let headers = [
            ("content-type", "application/json"), ("user-agent", "ledgerd/\(BuildInfo.current.version)"),
        ]
        let request = HTTPRequest(
            .post, url,
            headers: headers + signer(now).headers(id: id, now: now, body: body).map { ($0.name, $0.value) },
            body: body, connectTimeout: Self.connectTimeout, totalTimeout: Self.timeout,
            maxResponseBytes: Self.maxResponseBytes, truncatesResponse: true)
        do throws(TransportError) {
            let response = try await transport.send(request)
            return Attempt(
                outcome: Outcome(status: response.status), status: response.status, latency: time.instant - start,
                answer: Self.text(response.body),
                requestedDelay: response.headers["retry-after"].flatMap {
                    RetrySchedule.requestedDelay($0, now: time.now)
                })
        } catch {
            return Attempt(
                outcome: Outcome(error), status: nil, latency: time.instant - start, answer: nil, requestedDelay: nil)
        }
    }

    /// The first KiB as text that PostgreSQL can store.
    static func text(_ body: [UInt8]) -> String {
        String(decoding: body.prefix(keptBytes), as: UTF8.self).replacing("\0", with: "\u{FFFD}")
    }
}

extension WebhookSender.Outcome {
    init(status: Int) {
        self =
            switch status {
            case 200..<300: .delivered
            case 300..<400: .redirected
            case 410: .gone
            case 429: .tooMany
            default: .refused
            }
    }

    init(_ error: TransportError) {
        self =
            switch error.code {
            case .timeout: .timeout
            case .unreachable, .overloaded: .unreachable
            case .untrusted: .untrusted
            case .forbiddenAddress: .forbiddenAddress
            case .cancelled: .cancelled
            case .connectionLost, .tooLarge, .malformedAnswer, .invalidRequest: .broken
            }
    }
}
