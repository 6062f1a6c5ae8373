import Ledger
import LedgerWire

extension ProviderAccountBody {
    init(_ kept: ProviderAccount) {
        self.init(
            id: kept.id, status: kept.status.rawValue, bank: kept.account?.bank, numberEnd: kept.account?.numberEnd,
            holder: kept.account?.holder, proposedBy: kept.proposedBy, proposedAt: kept.proposedAt,
            approvedBy: kept.approvedBy, approvedAt: kept.approvedAt, endedBy: kept.endedBy, endedAt: kept.endedAt)
    }
}

/// The request to propose an account.
struct ProviderAccountRequestBody: Decodable {
    let bank: NonEmpty
    let number: NonEmpty
    let holder: NonEmpty

    typealias CodingKeys = ProviderAccountRequest.CodingKeys

    var account: BankAccount { BankAccount(bank: bank.value, number: number.value, holder: holder.value) }
}

/// The request to approve an account.
struct ProviderAccountApprovalRequestBody: Decodable {
    let number: NonEmpty

    typealias CodingKeys = ProviderAccountApprovalRequest.CodingKeys
}
