import Foundation
import Ledger

/// What is to be reconciled.
struct ReconciliationRequestBody: Decodable {
    let from: NonEmpty
    let to: NonEmpty
    let heal: Bool?

    /// The period, in days of the time zone.
    func period(in timeZone: TimeZone) throws(Problem) -> Range<Date> {
        let (from, to) = (try from.moment("/from", in: timeZone), try to.moment("/to", in: timeZone))
        guard from < to else {
            throw .invalid(pointer: "/to", "/to must be later than /from; it does not belong to the period")
        }
        return from..<to
    }
}

/// A reconciliation, as clients read it.
struct ReconciliationBody: Encodable {
    let id: Int64
    let status: String
    let stage: String?
    let from: Date
    let to: Date
    let heal: Bool
    let day: String?
    let gateways: [String]
    let counts: [String: Int64]?
    let unexamined: Int64?
    let healed: Int64?
    let differences: Int64?
    let failure: String?
    let startedAt: Date
    let endedAt: Date?

    enum CodingKeys: String, CodingKey {
        case id, status, stage, from, to, heal, day, gateways, counts, unexamined, healed, differences, failure
        case startedAt = "started_at"
        case endedAt = "ended_at"
    }

    init(_ run: ReconciliationRun, _ counts: ReconciliationCounts?) {
        id = run.id
        status = run.status.rawValue
        stage = run.status == .running ? run.stage : nil
        from = run.period.lowerBound
        to = run.period.upperBound
        heal = run.heals
        day = run.day
        gateways = run.gateways
        self.counts = counts?.kinds
        unexamined = run.status == .running ? counts?.unexamined : nil
        healed = counts?.healed
        differences = counts?.differences
        failure = run.failure
        startedAt = run.startedAt
        endedAt = run.endedAt
    }
}

/// A payment of a reconciliation, as clients read it.
struct ReconciliationItemBody: Encodable {
    /// What the gateway says.
    struct GatewayBody: Encodable {
        let status: String
        let amount: Int64
        let cancelledAmount: Int64
        let currency: String
        let paidAt: Date?

        enum CodingKeys: String, CodingKey {
            case status, amount, currency
            case cancelledAmount = "cancelled_amount"
            case paidAt = "paid_at"
        }
    }

    /// What the books say.
    struct BooksBody: Encodable {
        let purchase: Int64
        let amount: Int64
        let refundedAmount: Int64
        let pendingRefundAmount: Int64?
        let currency: String

        enum CodingKeys: String, CodingKey {
            case purchase, amount, currency
            case refundedAmount = "refunded_amount"
            case pendingRefundAmount = "pending_refund_amount"
        }
    }

    let id: Int64
    let kind: String?
    let outcome: String?
    let gateway: String
    let impUID: String
    let merchantUID: String
    let paymentID: String?
    let atGateway: GatewayBody?
    let inBooks: BooksBody?

    enum CodingKeys: String, CodingKey {
        case id, kind, outcome, gateway
        case impUID = "imp_uid"
        case merchantUID = "merchant_uid"
        case paymentID = "payment_id"
        case atGateway = "at_gateway"
        case inBooks = "in_books"
    }

    init(_ item: ReconciliationItem) {
        let comparison = item.comparison
        id = item.id
        kind = comparison.kind?.rawValue
        outcome = item.outcome?.rawValue
        gateway = comparison.payment.gateway
        impUID = comparison.payment.impUID
        merchantUID = comparison.payment.merchantUID
        paymentID = comparison.payment.paymentID
        atGateway = comparison.gateway.map {
            GatewayBody(
                status: $0.status, amount: $0.amount, cancelledAmount: $0.cancelledAmount, currency: $0.currency,
                paidAt: $0.paidAt)
        }
        inBooks = comparison.books.map {
            BooksBody(
                purchase: $0.purchaseID, amount: $0.amount, refundedAmount: $0.refundedAmount,
                pendingRefundAmount: $0.pendingRefundAmount, currency: $0.currency)
        }
    }
}
