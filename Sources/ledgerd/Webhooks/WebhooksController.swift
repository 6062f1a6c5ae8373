import Foundation
import Hummingbird
import Ledger
import Metrics
import PGVerifier

/// Where the gateways send their events.
///
/// An event is stored before it is answered, and worked off after.
struct WebhooksController: Sendable {
    let events: WebhookRecords
    /// Whether V1's events are taken, and from where; nil: V1 is off.
    let v1: WebhookSources?
    /// How V2's events are verified; nil: V2 or its webhooks are off.
    let v2: WebhookSignature?

    /// Larger than any event.
    private static let maxBodySize = 16 << 10

    /// Takes the events of the gateways that are configured.
    init(_ configuration: GatewayConfiguration, events: WebhookRecords) throws {
        self.events = events
        v1 = configuration.portOneV1.map { _ in
            WebhookSources(allowed: configuration.webhookSources, proxies: configuration.trustedProxies)
        }
        let secrets = configuration.portOneV2?.webhookSecrets ?? []
        v2 = secrets.isEmpty ? nil : try WebhookSignature(secrets: secrets.map { Secret($0) })
    }

    func addRoutes(to router: Router<LedgerdRequestContext>) {
        if let v1 {
            router.post("webhooks/portone/v1") { request, context in
                let source = try v1.check(request, from: context.peerAddress)
                return try await take(request, from: source ?? "unknown") { body throws(WebhookError) in
                    try .portOneV1(body: body)
                }
            }
        }
        if let v2 {
            router.post("webhooks/portone/v2") { request, _ in
                let headers = request.headers
                return try await take(request) { body throws(WebhookError) in
                    try v2.verify(
                        id: headers[.webhookID], timestamp: headers[.webhookTimestamp],
                        signature: headers[.webhookSignature], body: body, now: Date())
                    return try .portOneV2(body: body, id: headers[.webhookID])
                }
            }
        }
    }

    /// Reads an event and stores it; only then is it answered, for a gateway forgets what was answered.
    ///
    /// - Parameter source: the network that an unsigned event comes from.
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
        // JSON and forms can hold what a database's text can't.
        guard !event.texts.contains(where: { $0.utf8.contains(0) }) else {
            throw Problem(.invalidRequest, "a text of an event holds no NUL")
        }
        // An unsigned event says nothing beside its ids.
        guard event.eventID != nil || event.receipt != nil else {
            throw Problem(.invalidRequest, "imp_uid and merchant_uid must be ids that a payment can have")
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
    /// What is kept of it.
    fileprivate var texts: [String] { [type] + [eventID, impUID, merchantUID, paymentID].compactMap(\.self) }
}

extension WebhookRecordDraft {
    /// What is kept of an event: which payment it names.
    ///
    /// The rest proves nothing.
    fileprivate init(_ event: WebhookEvent, source: String?) {
        self.init(
            gateway: event.gateway, eventID: event.eventID, type: event.type, impUID: event.impUID,
            merchantUID: event.merchantUID, paymentID: event.paymentID, source: source)
    }
}

extension Problem {
    /// Why a webhook is not taken.
    fileprivate init(_ error: WebhookError) {
        switch error.code {
        case .missingHeader, .untimely, .badSignature: self.init(.signatureInvalid, error.message)
        case .malformedBody: self.init(.invalidRequest, error.message)
        case .unusableSecret: self.init(.internal)
        }
    }
}
