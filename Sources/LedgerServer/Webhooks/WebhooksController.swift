import Hummingbird
import Ledger
import LedgerWire
import Metrics
import PGVerifier

/// Webhooks of the gateways.
///
/// An event is stored before the response, and processed after it.
struct WebhooksController: Sendable {
    let events: WebhookRecords
    /// The readers of the configured gateways' events, by the operation's id.
    private let readers: [String: WebhookReader]

    /// Accepts events of the configured gateways.
    ///
    /// - Parameter gateways: the connected ones, in the order of the configuration's.
    init(_ configuration: GatewayConfiguration, gateways: Gateways, events: WebhookRecords) throws {
        self.events = events
        var readers: [String: WebhookReader] = [:]
        for (access, gateway) in zip(configuration.accesses, gateways.all) {
            guard let operation = type(of: access).webhook else { continue }
            readers[operation.id] = try access.webhookReader(configuration, of: gateway)
        }
        self.readers = readers
    }

    /// `POST /webhooks/…` of a gateway; nil: the gateway or its webhooks are off.
    func take(_ operation: String) -> Handler? {
        guard let reader = readers[operation] else { return nil }
        return { request, context in try await take(request, context, reader) }
    }

    /// Reads and stores an event.
    ///
    /// The response follows afterwards, because a gateway does not repeat an accepted event.
    private func take(
        _ request: Request, _ context: LedgerdRequestContext, _ reader: WebhookReader
    ) async throws -> Response {
        let source = try reader.admit(request, context)
        let body = try await request.body.collect(upTo: reader.maxBodySize)
        let event: WebhookEvent
        do {
            event = try await reader.read(request.headers, Array(body.readableBytesView))
        } catch {
            throw Problem(error)
        }
        // JSON and forms can have NUL, which PostgreSQL can't store.
        guard event.isStorable else {
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
    /// Whether PostgreSQL can store its texts.
    var isStorable: Bool {
        let texts =
            [type]
            + [eventID, paymentID, merchantUID, merchantPaymentID, questionToken, questionReason].compactMap(\.self)
        return !texts.contains { $0.utf8.contains(0) }
    }
}

extension WebhookRecordDraft {
    /// The stored part of an event: its id, type and payment.
    ///
    /// The rest is not trusted.
    init(_ event: WebhookEvent, source: String?) {
        self.init(
            gateway: event.gateway, eventID: event.eventID, type: event.type, paymentID: event.paymentID,
            merchantUID: event.merchantUID, merchantPaymentID: event.merchantPaymentID, source: source)
        toldAt = event.occurredAt
        questionToken = event.questionToken
        questionReason = event.questionReason
    }
}

extension Problem {
    /// The problem of a refused webhook.
    fileprivate init(_ error: WebhookError) {
        switch error.code {
        case .missingHeader, .untimely, .badSignature: self.init(.signatureInvalid, error.message)
        case .malformedBody: self.init(.invalidRequest, error.message)
        case .unverifiable: self.init(.gatewayUnavailable, error.message)
        case .unusableSecret: self.init(.internal)
        }
    }
}

extension WebhooksController: Feature {
    static let routes: [Route<Self>] = GatewayConfiguration.known.compactMap { gateway in
        gateway.webhook.map { operation in Route(operation) { $0.take(operation.id) } }
    }

    static func make(with deps: Deps) throws -> Self? {
        try WebhooksController(
            deps.configuration.gateways, gateways: deps.crediter.gateways, events: deps.ledger.webhooks)
    }
}
