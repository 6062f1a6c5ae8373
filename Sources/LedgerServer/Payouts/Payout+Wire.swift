import Foundation
import Ledger
import LedgerWire

/// The request of a payout; by default up to now, to all providers.
struct PayoutRequestBody: Decodable {
    @AllIfAbsent var cutOff: NonEmpty?
    @AllIfAbsent var providers: [AccountOwner]?
    let note: NonEmpty?

    typealias CodingKeys = PayoutRequest.CodingKeys
}

extension PayoutRequestBody {
    func draft(_ key: CallerKey, in zone: TimeZone) throws(Problem) -> PayoutDraft {
        PayoutDraft(
            key: key, cutOff: try cutOff?.moment("/cut_off", in: zone), providers: providers?.map(\.id),
            note: note?.value)
    }
}

/// The request to withdraw a payout.
struct PayoutWithdrawalRequestBody: Decodable {
    let reason: NonEmpty?

    typealias CodingKeys = PayoutWithdrawalRequest.CodingKeys
}

/// The request to book the bank's payment.
struct PayoutPaymentRequestBody: Decodable, BankPaymentMembers {
    let paidAt: NonEmpty
    let bankReference: NonEmpty

    typealias CodingKeys = PayoutPaymentRequest.CodingKeys
}

extension PayoutBody {
    init(_ payout: Payout) {
        self.init(
            id: payout.id, status: payout.status.rawValue, cutOff: payout.cutOff, providers: payout.providers,
            amount: payout.amount, withheld: payout.withheld, net: payout.amount - payout.withheld,
            note: payout.note, proposedBy: payout.proposedBy, proposedAt: payout.proposedAt,
            approval: payout.approval.map(Decision.init), withdrawal: payout.withdrawal.map(Decision.init),
            payment: payout.payment.map(Payment.init))
    }
}

extension PayoutBody.Decision {
    fileprivate init(_ decision: Payout.Decision) {
        self.init(by: decision.by, at: decision.at, reason: decision.reason)
    }
}

extension PayoutBody.Payment {
    fileprivate init(_ payment: Payout.Payment) {
        self.init(by: payment.by, at: payment.at, paidAt: payment.paidAt, bankReference: payment.bankReference)
    }
}

extension PayoutItemBody {
    init(_ item: PayoutItem) {
        self.init(
            provider: item.provider.rawValue, amount: item.amount, incomeTax: item.incomeTax, localTax: item.localTax,
            net: item.net, shares: item.shares)
    }
}

extension PayoutShareBody {
    init(_ share: PayoutShare) {
        self.init(
            provider: share.provider.rawValue, journalEntryID: share.journalEntryID, captureID: share.captureID,
            termsID: share.termsID, amount: share.won, change: share.change, recordedAt: share.recordedAt)
    }
}
