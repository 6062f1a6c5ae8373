import CivilTime
import Foundation
package import Ledger
import LedgerWire

/// The request of an accounting policy.
struct AccountingPolicyRequestBody: Decodable {
    let method: NonEmpty
    let expected: Int64?
    let highlyProbable: Int64?
    let bonusPrice: Int64?

    typealias CodingKeys = AccountingPolicyRequest.CodingKeys
}

extension AccountingPolicyRequestBody {
    func method(of subject: AccountingPolicy.Subject) throws(InputFault) -> AccountingPolicy.Method {
        try .checked(
            method.value, of: subject, expected: expected, highlyProbable: highlyProbable, bonusPrice: bonusPrice)
    }
}

extension AccountingPolicy.Method {
    /// The method with this name and these figures.
    ///
    /// - Parameter subject: nil: the method's.
    /// - Throws: ``InputFault`` for a method of another subject, and for figures out of range or of another method.
    package static func checked(
        _ name: String, of subject: AccountingPolicy.Subject? = nil, expected: Int64?, highlyProbable: Int64?,
        bonusPrice: Int64?
    ) throws(InputFault) -> AccountingPolicy.Method {
        let method = AccountingPolicy.Method(
            name, expected: expected, highlyProbable: highlyProbable, bonusPrice: bonusPrice)
        guard let method, subject == nil || method.subject == subject else {
            let subjects = subject.map { [$0] } ?? AccountingPolicy.Subject.allCases
            throw InputFault("method", "must be \(subjects.map(\.methodRule).joined(separator: "; or "))")
        }
        return method
    }
}

extension AccountingPolicy.Subject {
    /// The methods with their figures, for error messages.
    fileprivate var methodRule: String {
        switch self {
        case .breakage:
            "at_expiry, or expected_pattern with expected from 1 to 999 and, if it differs, highly_probable from 0 to 999"
        case .bonus: "none, or relative_price with, if it is not 1000, bonus_price from 1 to 10000"
        }
    }
}

/// The request of an adjustment.
struct AdjustmentRequestBody: Decodable {
    let subject: NonEmpty
    let month: NonEmpty

    typealias CodingKeys = AdjustmentRequest.CodingKeys
}

extension AccountingPolicy.Subject {
    /// - Throws: `invalid_request` for an unknown subject.
    init(_ text: NonEmpty) throws(Problem) {
        self = try text.choice("/subject")
    }
}

extension CivilMonth {
    /// - Throws: `invalid_request` for a text that is no month.
    init(_ text: NonEmpty) throws(Problem) {
        guard let month = CivilMonth(text.value) else {
            throw .invalid(pointer: "/month", "/month must be \(Self.rule)")
        }
        self = month
    }
}

extension Adjustments.PolicyOutcome {
    /// The policy that applies now.
    ///
    /// - Throws: `period_already_closed`; `month_adjusted`.
    package var policy: AccountingPolicy {
        get throws(Problem) {
            switch self {
            case .set(let policy), .unchanged(let policy): policy
            case .monthClosed(let until): throw .alreadyClosed(until: until)
            case .monthAdjusted(let last): throw Problem(Refusal.monthAdjusted(last: last?.description))
            }
        }
    }
}

extension AccountingPolicyBody {
    init(_ policy: AccountingPolicy) {
        let method = policy.method
        self.init(
            id: policy.id, subject: method.subject.rawValue, month: policy.month.description, method: method.name,
            expected: method.expected, highlyProbable: method.highlyProbable, bonusPrice: method.bonusPrice,
            setBy: policy.setBy, setAt: policy.setAt)
    }
}

extension AdjustmentBody {
    init(_ adjustment: Adjustment, cohorts: [AdjustmentCohort]? = nil) {
        self.init(
            id: adjustment.id, subject: adjustment.subject.rawValue, month: adjustment.month.description,
            target: adjustment.target, amount: adjustment.amount, journalEntryID: adjustment.journalEntryID,
            policyID: adjustment.policyID, adjustedBy: adjustment.adjustedBy, recordedAt: adjustment.recordedAt,
            cohorts: cohorts?.map { AdjustmentCohortBody($0, of: adjustment.subject) })
    }
}

extension AdjustmentCohortBody {
    init(_ part: AdjustmentCohort, of subject: AccountingPolicy.Subject) {
        let cohort = part.cohort
        self.init(
            soldIn: cohort.soldIn.description, purchases: cohort.purchases, sold: cohort.sold,
            refunded: cohort.refunded, used: cohort.used, expired: cohort.expired, deferred: cohort.deferred,
            allocated: subject == .bonus ? cohort.allocated : nil, target: part.target)
    }
}

extension AdjustmentPreviewBody {
    init(_ preview: AdjustmentPreview, of subject: AccountingPolicy.Subject, in month: CivilMonth) {
        self.init(
            subject: subject.rawValue, month: month.description,
            policy: preview.policies[subject].map(AccountingPolicyBody.init), booked: preview.booked,
            target: preview.target, observedBreakage: subject == .breakage ? preview.observedBreakage : nil,
            cohorts: preview.cohorts.map { AdjustmentCohortBody($0, of: subject) })
    }
}
