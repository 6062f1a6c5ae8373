import Ledger
import LedgerWire

/// The request of a provider's terms.
struct ProviderTermsRequestBody: Decodable {
    /// Nil: all products without terms of their own.
    @AllIfAbsent var product: NonEmpty?
    let shareBasisPoints: Int64
    let role: NonEmpty
    let withholding: NonEmpty?

    typealias CodingKeys = ProviderTermsRequest.CodingKeys
}

extension ProviderTermsRequestBody {
    func draft(of provider: UserID) throws(Problem) -> ProviderTermsDraft {
        ProviderTermsDraft(
            provider: provider, item: product?.value, share: shareBasisPoints, role: try role.choice("/role"),
            withholding: try withholding?.choice("/withholding"))
    }
}

/// The request of a repayment.
struct RepaymentRequestBody: Decodable, BankPaymentMembers {
    let amount: WonAmount
    let paidAt: NonEmpty
    let bankReference: NonEmpty

    typealias CodingKeys = RepaymentRequest.CodingKeys
}

extension RepaymentBody {
    init(_ repaid: ClaimRepaid) {
        self.init(
            provider: repaid.provider.rawValue, journalEntryID: repaid.journalEntryID, amount: repaid.amount,
            paidAt: repaid.paidAt, bankReference: repaid.bankReference, payable: repaid.payable)
    }
}

extension ProviderTermsBody {
    init(_ terms: ProviderTerms) {
        self.init(
            id: terms.id, product: terms.item, shareBasisPoints: terms.share, role: terms.role.rawValue,
            withholding: terms.withholding.rawValue, setBy: terms.setBy, setAt: terms.setAt)
    }
}

extension ProviderBody {
    init(_ found: ProviderBalance) {
        self.init(
            provider: found.terms.provider.rawValue, terms: ProviderTermsBody(found.terms),
            productTerms: found.ofItems.isEmpty ? nil : found.ofItems.map(ProviderTermsBody.init),
            payable: found.payable)
    }
}

extension ProviderStatementLineBody {
    init(_ line: ProviderAccountLine) {
        self.init(
            kind: line.kind.rawValue, journalEntryID: line.journalEntryID, captureID: line.captureID,
            payoutID: line.payoutID, termsID: line.termsID, product: line.item, amount: line.won,
            change: line.change, payable: line.balance, recordedAt: line.recordedAt)
    }
}
