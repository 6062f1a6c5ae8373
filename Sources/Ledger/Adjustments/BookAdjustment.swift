package import CivilTime
import Foundation
import Postgres

/// Brings the balance of an account to what a month's policy says, with one entry at the end of the month.
///
/// ```
/// Breakage: Dr coins:expected-breakage   / Cr revenue:expected-breakage
/// Bonus:    Dr revenue:bonus-allocation  / Cr coins:deferred-bonus
/// ```
/// If the balance falls, the entry has the opposite sides. If it is there already, nothing is posted. The entry is effective
/// at the last moment of the month. It belongs to no user, so it is in the first stripe.
package struct BookAdjustment: KeyedAct, Equatable {
    package let idempotencyKey: CallerKey
    package let subject: AccountingPolicy.Subject
    package let month: CivilMonth
    /// The first moment after the month.
    let endsAt: Date
    /// The policies by which the cohorts' targets were computed.
    let policies: PoliciesInForce
    /// What the entry comes from.
    ///
    /// The cohorts follow from the books, so they are not part of the ``fingerprint``.
    let cohorts: [AdjustmentCohort]
    /// What the database measured that they must add up to (`adjustment_basis`).
    let basisID: Int64

    /// The account's balance afterwards.
    package var target: Int64 { cohorts.target }

    /// The caller, because the act is of no user.
    package var user: UserID { idempotencyKey.caller }
}

/// The result of an adjustment.
package struct AdjustmentBooked: Sendable, Equatable, Codable {
    /// The last one of the month, if nothing was left to book.
    package let adjustmentID: Int64
    /// The entry that the act posted; nil: nothing was to be posted.
    package let journalEntryID: Int64?
}

// MARK: - Planning

extension BookAdjustment {
    package var touches: Touches { Touches(adjustment: AdjustmentTouch(subject: subject, month: month)) }

    package func plan(on books: inout Plan) -> Answer<AdjustmentBooked> { books.bookAdjustment(self) }
}

extension Plan {
    fileprivate mutating func bookAdjustment(_ act: BookAdjustment) -> Answer<AdjustmentBooked> {
        guard act.endsAt <= recordedAt else { return .refused(.monthNotOver) }
        if let openFrom, openFrom >= act.endsAt { return .refused(.monthClosed(until: openFrom)) }
        let last = adjustments.last(of: act.subject)
        if let last, last.month > act.month { return .refused(.monthAdjusted(last: last.month.description)) }
        guard adjustments.areInForce(act.policies, in: act.month) else { return .refused(.policyChanged) }
        // After the last month of a policy, its balance is taken back.
        guard act.policies[act.subject]?.method.adjusts == true || (last?.target ?? 0) != 0 || last?.month == act.month
        else { return .refused(.noAccountingPolicy) }
        let amount = act.target - (last?.target ?? 0)
        if let last, last.month == act.month, amount == 0 {
            return .unchanged(AdjustmentBooked(adjustmentID: last.id, journalEntryID: nil))
        }
        return .done(book(amount, act))
    }

    private mutating func book(_ amount: Int64, _ act: BookAdjustment) -> AdjustmentBooked {
        let id = newID()
        let entry = amount == 0 ? nil : post(amount, of: act, id)
        let adjustment = Adjustment(
            id: id, subject: act.subject, month: act.month, target: act.target, amount: amount,
            journalEntryID: entry, policyID: act.policies[act.subject]?.id,
            adjustedBy: act.idempotencyKey.caller.rawValue, recordedAt: recordedAt)
        adjustments.insert(adjustment, of: act)
        return AdjustmentBooked(adjustmentID: id, journalEntryID: entry)
    }

    private mutating func post(_ amount: Int64, of act: BookAdjustment, _ id: Int64) -> Int64 {
        let rises = act.subject.account.normalSide
        let side = amount > 0 ? rises : rises.opposite
        return post(
            .adjustment, reference: "adjustment:\(id)", reason: "\(act.subject.rawValue) of \(act.month)",
            effectiveAt: act.endsAt.previousMicrosecond, in: .first,
            [
                Line(account: .system(act.subject.account, .first), side: side, amount: abs(amount)),
                Line(account: .system(act.subject.revenue, .first), side: side.opposite, amount: abs(amount)),
            ])
    }
}

// MARK: - How it is recorded under its key

extension BookAdjustment {
    package static let name = "adjustment"
    package static let successName = "adjustmentBooked"

    package var fingerprint: Fingerprint { Fingerprint(Self.name, subject.rawValue, month.description) }

    package static func journalEntryID(of success: AdjustmentBooked) -> Int64? { success.journalEntryID }
}
