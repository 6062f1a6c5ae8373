import Foundation
import Hummingbird
import Ledger
import Metrics
import PGVerifier
import Timing

/// Webhooks of the gateways.
///
/// An event is stored before the response, and processed after it.
struct WebhooksController: Sendable {
    let events: WebhookRecords
    /// The allowed sources of V1's events; nil: V1 is off.
    let v1: WebhookSources?
    /// Verifies V2's events; nil: V2 or its webhooks are off.
    let v2: WebhookSignature?

    /// The maximum size of an event, larger than any real one.
    private static let maxBodySize = 16 << 10

    /// Accepts events of the configured gateways.
    init(_ configuration: GatewayConfiguration, events: WebhookRecords) throws {
        self.events = events
        v1 = configuration.portOneV1.map { _ in
            WebhookSources(allowed: configuration.webhookSources, proxies: configuration.trustedProxies)
        }
        let secrets = configuration.portOneV2?.webhookSecrets ?? []
        v2 = secrets.isEmpty ? nil : try WebhookSignature(secrets: secrets.map { Secret($0) })
    }

    /// `POST /webhooks/portone/v1`; nil: V1 is off.
    var takeV1: Handler? {
        guard let v1 else { return nil }
        return { request, context in
            let source = try v1.check(request, from: context.peerAddress)
            return try await take(request, from: source ?? "unknown") { body throws(WebhookError) in
                try .portOneV1(body: body)
            }
        }
    }

    /// `POST /webhooks/portone/v2`; nil: V2 or its webhooks are off.
    var takeV2: Handler? {
        guard let v2 else { return nil }
        return { request, _ in
            let headers = request.headers
            return try await take(request) { body throws(WebhookError) in
                try v2.verify(
                    id: headers[.webhookID], timestamp: headers[.webhookTimestamp],
                    signature: headers[.webhookSignature], body: body, now: Time.current.now)
                return try .portOneV2(body: body, id: headers[.webhookID])
            }
        }
    }

    /// Reads and stores an event.
    ///
    /// The response follows afterwards, because a gateway does not repeat an accepted event.
    ///
    /// - Parameter source: the source network of an unsigned event.
    private func take(
        _ request: Request, from source: String? = nil, _ read: ([UInt8]) throws(WebhookError) -> WebhookEvent
    ) async throws -> Response {
        let body = try await request.body.collect(upTo: Self.maxBodySize)
        let event: WebhookEvent
        do {
            event = try read(Array(body.readableBytesView))
        } catch {
            throw Problem(error)
        }
        // JSON and forms can have NUL, which PostgreSQL can't store.
        guard !event.texts.contains(where: { $0.utf8.contains(0) }) else {
            throw Problem(.invalidRequest, "an event must not have NUL characters")
        }
        // Only the ids of an unsigned event are used.
        guard event.eventID != nil || event.receipt != nil else {
            throw Problem(.invalidRequest, "imp_uid and merchant_uid must be valid ids of a payment")
        }
        switch try await events.store(WebhookRecordDraft(event, source: source)) {
        case .stored: return try Response(json: ["status": "stored"])
        case .known: return try Response(json: ["status": "known"])
        case .noRoom:
            Counter(label: "ledgerd_webhook_events_refused_total").increment()
            throw Problem(.tooManyWaitingEvents)
        }
    }
}

extension WebhookEvent {
    /// The texts that are stored.
    fileprivate var texts: [String] { [type] + [eventID, impUID, merchantUID, paymentID].compactMap(\.self) }
}

extension WebhookRecordDraft {
    /// The stored part of an event: its id, type and payment.
    ///
    /// The rest is not trusted.
    fileprivate init(_ event: WebhookEvent, source: String?) {
        self.init(
            gateway: event.gateway, eventID: event.eventID, type: event.type, impUID: event.impUID,
            merchantUID: event.merchantUID, paymentID: event.paymentID, source: source)
    }
}

extension Problem {
    /// The problem of a refused webhook.
    fileprivate init(_ error: WebhookError) {
        switch error.code {
        case .missingHeader, .untimely, .badSignature: self.init(.signatureInvalid, error.message)
        case .malformedBody: self.init(.invalidRequest, error.message)
        case .unusableSecret: self.init(.internal)
        }
    }
}
