import CivilTime
import Currencies
import FoundationEssentials
import WireFormats

/// Reads V2's payment object (PortOne V2 contract, payment).
///
/// Lenient where possible; strict about ids, store and amounts. V2 leaves out members without a value; `null` is
/// accepted too.
enum PortOneV2Payment {
    /// - Throws: ``GatewayError/Code/unreadablePayment`` naming the unusable member; ``GatewayError/Code/notFound``
    ///   (definite) for a payment made through V1.
    static func read(_ json: JSON, storeID: String) throws(GatewayError) -> GatewayPayment {
        guard try required("storeId", in: json) == storeID else { throw unusable("storeId") }
        switch try required("version", in: json) {
        case "V2": break
        case "V1": throw madeThroughV1
        default: throw unusable("version")
        }
        let id = try required("id", in: json)
        let currency = try Currency(ofPayment: try required("currency", in: json))
        let amount = json["amount"] ?? .null
        let status = status(try required("status", in: json))
        var payment = GatewayPayment(
            gateway: PortOneV2.name,
            paymentID: try required("transactionId", in: json),
            merchantUID: id,
            merchantPaymentID: id,
            status: status,
            // Not `paid`, which is set for unpaid payments too, and smaller with discounts.
            amount: try self.amount("total", in: amount, currency),
            cancelledAmount: try self.amount("cancelled", in: amount, currency),
            cancellations: try cancellations(in: json, currency),
            currency: currency.code,
            isTest: try isTest(json["channel"], status),
            startedAt: time("requestedAt", in: json),
            paidAt: time("paidAt", in: json),
            failedAt: time("failedAt", in: json),
            cancelledAt: time("cancelledAt", in: json),
            payMethod: text("type", in: json["method"]),
            pgProvider: text("pgProvider", in: json["channel"]),
            pgTransactionID: text("pgTxId", in: json),
            failReason: text("reason", in: json["failure"]) ?? text("pgMessage", in: json["failure"]),
            virtualAccountDue: json["method"].flatMap { time("expiredAt", in: $0) },
            customData: text("customData", in: json),
            customerID: text("id", in: json["customer"]))
        payment.receiptURL = GatewayPayment.shownLink(text("receiptUrl", in: json))
        let taxFree = try? self.amount("taxFree", in: amount, currency)
        payment.taxFreeAmount = taxFree.flatMap { $0 <= payment.amount ? $0 : nil }
        do throws(GatewayError) {
            payment.disputes = try disputes(in: json)
        } catch {
            payment.unreadableDispute = error.message
        }
        return payment
    }

    /// Reads the disputes, strictly: a dispute that is misread is worse than one that is reported as unreadable.
    private static func disputes(in json: JSON) throws(GatewayError) -> [GatewayDispute] {
        guard let list = json["disputes"], list != .null else { return [] }
        guard let elements = list.elements, elements.count <= mostDisputes else { throw unusable("disputes") }
        var disputes: [GatewayDispute] = []
        for element in elements { disputes.append(try dispute(element)) }
        return disputes
    }

    private static func dispute(_ json: JSON) throws(GatewayError) -> GatewayDispute {
        let isResolved =
            switch json["status"]?.text {
            case "UNRESOLVED": false
            case "RESOLVED": true
            default: throw unusable("disputes.status")
            }
        guard let reason = json["reason"]?.text, !reason.unicodeScalars.contains("\0") else {
            throw unusable("disputes.reason")
        }
        guard let openedAt = time("createdAt", in: json) else { throw unusable("disputes.createdAt") }
        let resolvedAt = time("resolvedAt", in: json)
        guard resolvedAt != nil || (json["resolvedAt"] ?? .null) == .null else { throw unusable("disputes.resolvedAt") }
        guard !(text("pgDisputeId", in: json) ?? "").unicodeScalars.contains("\0") else {
            throw unusable("disputes.pgDisputeId")
        }
        return GatewayDispute(
            id: text("pgDisputeId", in: json), isResolved: isResolved, reason: reason, openedAt: openedAt,
            resolvedAt: resolvedAt)
    }

    /// The most disputes of one payment that are read.
    private static let mostDisputes = 20

    /// Reads one cancellation of a payment in a currency.
    static func cancellation(_ json: JSON, in currency: Currency) throws(GatewayError) -> GatewayCancellation {
        GatewayCancellation(
            id: try required("id", in: json), status: cancellationStatus(try required("status", in: json)),
            amount: try amount("totalAmount", in: json, currency), reason: text("reason", in: json),
            requestedAt: time("requestedAt", in: json), cancelledAt: time("cancelledAt", in: json),
            pgTransactionID: text("pgCancellationId", in: json))
    }

    /// Reads one payment event.
    static func event(_ json: JSON, storeID: String) throws(GatewayError) -> PaymentEvent {
        guard try required("storeId", in: json) == storeID else { throw unusable("storeId") }
        let currency = try Currency(ofPayment: try required("currency", in: json))
        guard let amount = PortOneV2.amounts.read(json["eventAmount"], in: currency) else {
            throw unusable("eventAmount")
        }
        guard let createdAt = time("createdAt", in: json) else { throw unusable("createdAt") }
        return PaymentEvent(
            gateway: PortOneV2.name, id: try required("id", in: json), kind: eventKind(try required("type", in: json)),
            merchantPaymentID: try required("paymentId", in: json), paymentID: try required("transactionId", in: json),
            amount: amount, currency: currency.code, isTest: text("type", in: json["channel"]) != "LIVE",
            cancellation: try json["cancellation"].map { json throws(GatewayError) in
                try cancellation(json, in: currency)
            },
            createdAt: createdAt)
    }

    private static func eventKind(_ word: String) -> PaymentEvent.Kind {
        switch word {
        case "PAID": .paid
        case "PARTIAL_CANCELLED": .partiallyCancelled
        case "CANCELLED": .cancelled
        default: .unknown(String(word.prefix(40)))
        }
    }

    private static func cancellations(
        in json: JSON, _ currency: Currency
    ) throws(GatewayError) -> [GatewayCancellation] {
        var cancellations: [GatewayCancellation] = []
        for element in json["cancellations"]?.elements ?? [] {
            cancellations.append(try cancellation(element, in: currency))
        }
        return cancellations
    }

    private static func status(_ word: String) -> GatewayPayment.Status {
        switch word {
        case "READY", "PAY_PENDING", "VIRTUAL_ACCOUNT_ISSUED": .ready
        case "PAID": .paid
        case "FAILED": .failed
        case "PARTIAL_CANCELLED": .partiallyCancelled
        case "CANCELLED": .cancelled
        default: .unknown(String(word.prefix(40)))
        }
    }

    private static func cancellationStatus(_ word: String) -> GatewayCancellation.Status {
        switch word {
        case "SUCCEEDED": .succeeded
        case "REQUESTED": .requested
        case "FAILED": .failed
        default: .unknown(String(word.prefix(40)))
        }
    }

    /// Anything but `LIVE` is a test; a paid payment must have a channel (PortOne V2 contract, verification).
    private static func isTest(_ channel: JSON?, _ status: GatewayPayment.Status) throws(GatewayError) -> Bool? {
        if let type = text("type", in: channel) { return type != "LIVE" }
        switch status {
        case .paid, .partiallyCancelled, .cancelled: throw unusable("channel")
        case .ready, .failed, .unknown: return nil
        }
    }

    private static func amount(_ name: String, in json: JSON, _ currency: Currency) throws(GatewayError) -> Int64 {
        guard let amount = PortOneV2.amounts.read(json[name], in: currency), amount >= 0 else {
            throw unusable("amount." + name)
        }
        return amount
    }

    private static func required(_ name: String, in json: JSON) throws(GatewayError) -> String {
        guard let text = text(name, in: json) else { throw unusable(name) }
        return text
    }

    private static func text(_ name: String, in json: JSON?) -> String? {
        json?[name]?.text.flatMap { $0.isEmpty ? nil : $0 }
    }

    private static func time(_ name: String, in json: JSON) -> Date? {
        json[name]?.text.flatMap(RFC3339.date(from:))
    }

    private static func unusable(_ name: String) -> GatewayError {
        GatewayError(.unreadablePayment, httpStatus: 200, message: "the payment's \(name) can't be used")
    }

    private static let madeThroughV1 = GatewayError(
        .notFound, isDefinite: true, httpStatus: 200,
        message: "the payment was made through V1: its receipt is imp_uid and merchant_uid")
}
