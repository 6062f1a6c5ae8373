import Currencies
import FoundationEssentials
import WireFormats

/// Reads V1's payment object (PortOne V1 contract, payment object).
///
/// Lenient where possible: unknown members are skipped, and missing, null, `0` and `""` all mean unknown. Strict about
/// ids and amounts.
enum PortOneV1Payment {
    /// - Throws: ``GatewayError/Code/unreadablePayment`` naming the unusable member;
    ///   ``GatewayError/Code/malformedAnswer`` if it is no payment object.
    static func read(_ json: JSON) throws(GatewayError) -> GatewayPayment {
        guard case .object = json else {
            throw GatewayError(.malformedAnswer, httpStatus: 200, message: "the response isn't a payment")
        }
        let currency = try Currency(ofPayment: try required("currency", in: json))
        let amount = try amount("amount", in: json, currency)
        let cancelled = json["cancel_amount"] ?? .null
        let cancelledAmount = cancelled == .null ? 0 : try self.amount("cancel_amount", in: json, currency)
        var payment = GatewayPayment(
            gateway: PortOneV1.name,
            paymentID: try required("imp_uid", in: json),
            merchantUID: try required("merchant_uid", in: json),
            status: status(try required("status", in: json), amount, cancelledAmount),
            amount: amount,
            cancelledAmount: cancelledAmount,
            cancellations: try cancellations(in: json, currency),
            currency: currency.code,
            isTest: json["sandbox"]?.flag,
            startedAt: try time("started_at", in: json),
            paidAt: try time("paid_at", in: json),
            failedAt: try time("failed_at", in: json),
            cancelledAt: try time("cancelled_at", in: json),
            payMethod: text("pay_method", in: json),
            pgProvider: text("pg_provider", in: json),
            pgTransactionID: text("pg_tid", in: json),
            failReason: text("fail_reason", in: json),
            virtualAccountDue: try time("vbank_date", in: json),
            customData: text("custom_data", in: json))
        payment.receiptURL = GatewayPayment.shownLink(text("receipt_url", in: json))
        return payment
    }

    /// V1 has no partial status: it says `cancelled` after the first cancelled won (PortOne V1 contract, status).
    private static func status(_ word: String, _ amount: Int64, _ cancelled: Int64) -> GatewayPayment.Status {
        switch word {
        case "ready": .ready
        case "paid": .paid
        case "failed": .failed
        case "cancelled": (1..<max(1, amount)).contains(cancelled) ? .partiallyCancelled : .cancelled
        default: .unknown(String(word.prefix(40)))
        }
    }

    /// V1 lists only completed cancellations, oldest first.
    private static func cancellations(
        in json: JSON, _ currency: Currency
    ) throws(GatewayError) -> [GatewayCancellation] {
        var cancellations: [GatewayCancellation] = []
        for element in json["cancel_history"]?.elements ?? [] {
            let amount = try amount("amount", in: element, currency)
            let seconds = element["cancelled_at"]?.integer ?? 0
            let pgID = text("pg_tid", in: element)
            cancellations.append(
                GatewayCancellation(
                    id: text("cancellation_id", in: element) ?? "\(pgID ?? "")/\(seconds)/\(amount)", amount: amount,
                    reason: text("reason", in: element), cancelledAt: try time("cancelled_at", in: element),
                    pgTransactionID: pgID))
        }
        return cancellations
    }

    private static func amount(_ name: String, in json: JSON, _ currency: Currency) throws(GatewayError) -> Int64 {
        guard case .number(let number) = json[name], let amount = PortOneV1.amounts.read(number, in: currency),
            amount >= 0
        else { throw unusable(name) }
        return amount
    }

    private static func required(_ name: String, in json: JSON) throws(GatewayError) -> String {
        guard let text = text(name, in: json) else { throw unusable(name) }
        return text
    }

    private static func text(_ name: String, in json: JSON) -> String? {
        json[name]?.text.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The end of the year 9999: later times can't be written as text.
    private static let lastSecond: Int64 = 253_402_300_799

    private static func time(_ name: String, in json: JSON) throws(GatewayError) -> Date? {
        guard let seconds = json[name]?.integer, seconds > 0 else { return nil }
        guard seconds <= lastSecond else { throw unusable(name) }
        return Date(timeIntervalSince1970: Double(seconds))
    }

    private static func unusable(_ name: String) -> GatewayError {
        GatewayError(.unreadablePayment, httpStatus: 200, message: "the payment's \(name) can't be used")
    }
}
