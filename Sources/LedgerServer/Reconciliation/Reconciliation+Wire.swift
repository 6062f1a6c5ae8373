import Foundation
package import Ledger
import LedgerWire

/// The request of a reconciliation.
struct ReconciliationRequestBody: Decodable {
    let from: NonEmpty
    let to: NonEmpty
    let heal: Bool?

    typealias CodingKeys = ReconciliationRequest.CodingKeys

    /// The period, in days of the time zone.
    func period(in timeZone: TimeZone) throws(Problem) -> Range<Date> {
        let (from, to) = (try from.moment("/from", in: timeZone), try to.moment("/to", in: timeZone))
        if let fault = ReconciliationDraft.fault(of: (from, to)) {
            let pointer = fault.isOfEnd ? "/to" : "/from"
            throw .invalid(pointer: pointer, "\(pointer) \(fault.rule(from: "/from"))")
        }
        return from..<to
    }
}

extension ReconciliationDraft.PeriodFault {
    /// Whether the end of the period is invalid, and not the start.
    package var isOfEnd: Bool {
        switch self {
        case .isEmpty, .isTooLong: true
        case .beginsBefore1970, .isToCome: false
        }
    }

    /// The violated rule, worded to follow the parameter's name.
    package func rule(from: String) -> String {
        switch self {
        case .isEmpty: "must be later than \(from); the period ends before it"
        case .isTooLong: "must be at most 366 days after \(from); split a longer period"
        case .beginsBefore1970: "must not be before 1970"
        case .isToCome: "must be in the past"
        }
    }
}

extension ReconciliationBody {
    /// A run with its counts, if known.
    init(_ run: ReconciliationRun, _ counts: ReconciliationCounts?) {
        let isRunning = run.status == .running
        self.init(
            id: run.id, status: run.status.rawValue, stage: isRunning ? run.stage : nil, from: run.period.lowerBound,
            to: run.period.upperBound, heal: run.heals, day: run.day, gateways: run.gateways, counts: counts?.kinds,
            unexamined: isRunning ? counts?.unexamined : nil, healed: counts?.healed,
            differences: counts?.differences, failure: run.failure, startedAt: run.startedAt, endedAt: run.endedAt)
    }
}

/// The request to record who works on a payment of a reconciliation.
struct DifferenceAssignRequestBody: Decodable {
    let assignee: NonEmpty?

    typealias CodingKeys = DifferenceAssignRequest.CodingKeys
}

extension DifferenceActBody {
    init(_ act: DifferenceAct) {
        self.init(act: act.kind.rawValue, by: act.by, whom: act.whom, note: act.reason, actedAt: act.actedAt)
    }
}

extension ReconciliationItemBody {
    /// A payment with what people did about it.
    init(_ found: DifferenceActs.Found) {
        self.init(found.item, found.context, acts: found.acts.map(DifferenceActBody.init))
    }

    /// A payment, and what is known of it, if that is asked for.
    init(_ item: ReconciliationItem, _ context: DifferenceContext? = nil, acts: [DifferenceActBody]? = nil) {
        let comparison = item.comparison
        let payment = comparison.payment
        self.init(
            id: item.id, kind: comparison.kind?.rawValue, outcome: item.outcome?.rawValue, gateway: payment.gateway,
            impUID: payment.paymentID, merchantUID: payment.merchantUID, paymentID: payment.merchantPaymentID,
            atGateway: comparison.gateway.map(GatewaySide.init), inBooks: comparison.books.map(BooksSide.init),
            user: context?.customer?.rawValue, finding: context?.finding, assignee: context?.owner,
            note: context?.note, acts: acts)
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
            transferredAmount: side.transferredAmount.flatMap { $0 == 0 ? nil : $0 },
            pendingRefundAmount: side.pendingRefundAmount, currency: side.currency)
    }
}
