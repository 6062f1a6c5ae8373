import Foundation
import Ledger
import LedgerWire

/// What is to be reconciled.
struct ReconciliationRequestBody: Decodable {
    let from: NonEmpty
    let to: NonEmpty
    let heal: Bool?

    typealias CodingKeys = ReconciliationRequest.CodingKeys

    /// The period, in days of the time zone.
    func period(in timeZone: TimeZone) throws(Problem) -> Range<Date> {
        let (from, to) = (try from.moment("/from", in: timeZone), try to.moment("/to", in: timeZone))
        guard from < to else {
            throw .invalid(pointer: "/to", "/to must be later than /from; it does not belong to the period")
        }
        return from..<to
    }
}

extension ReconciliationBody {
    /// What clients read of a run, with what it came to as far as that is known.
    init(_ run: ReconciliationRun, _ counts: ReconciliationCounts?) {
        let isRunning = run.status == .running
        self.init(
            id: run.id, status: run.status.rawValue, stage: isRunning ? run.stage : nil, from: run.period.lowerBound,
            to: run.period.upperBound, heal: run.heals, day: run.day, gateways: run.gateways, counts: counts?.kinds,
            unexamined: isRunning ? counts?.unexamined : nil, healed: counts?.healed,
            differences: counts?.differences, failure: run.failure, startedAt: run.startedAt, endedAt: run.endedAt)
    }
}

extension ReconciliationItemBody {
    /// What clients read of a payment of a run.
    init(_ item: ReconciliationItem) {
        let comparison = item.comparison
        let payment = comparison.payment
        self.init(
            id: item.id, kind: comparison.kind?.rawValue, outcome: item.outcome?.rawValue, gateway: payment.gateway,
            impUID: payment.impUID, merchantUID: payment.merchantUID, paymentID: payment.paymentID,
            atGateway: comparison.gateway.map(GatewaySide.init), inBooks: comparison.books.map(BooksSide.init))
    }
}

extension ReconciliationItemBody.GatewaySide {
    fileprivate init(_ side: Comparison.GatewaySide) {
        self.init(
            status: side.status, amount: side.amount, cancelledAmount: side.cancelledAmount, currency: side.currency,
            paidAt: side.paidAt)
    }
}

extension ReconciliationItemBody.BooksSide {
    fileprivate init(_ side: Comparison.BooksSide) {
        self.init(
            purchase: side.purchaseID, amount: side.amount, refundedAmount: side.refundedAmount,
            pendingRefundAmount: side.pendingRefundAmount, currency: side.currency)
    }
}
