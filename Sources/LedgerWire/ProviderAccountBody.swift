public import Foundation

/// The bank account that payouts to a provider go to, or one that is proposed, or what is left of one that was.
///
/// Its number is never told whole.
public struct ProviderAccountBody: Codable, Hashable, Sendable {
    /// The id of the account.
    public let id: Member.ID
    /// `approved`: payouts go there; `proposed`: another person has to approve it; `withdrawn` and `erased`: it is neither any
    /// more, and the account itself is erased.
    ///
    /// - Values: `proposed`, `withdrawn`, `approved`, `erased`
    public let status: String
    /// The bank, as the bank's file for transfers names it; nil: erased.
    public let bank: String?
    /// The last characters of the account number; nil: erased.
    public let numberEnd: String?
    /// The holder of the account; nil: erased.
    public let holder: String?
    /// Who proposed it.
    public let proposedBy: String
    /// When it was proposed.
    public let proposedAt: Date
    /// Who approved it; nil: nobody.
    public let approvedBy: String?
    /// When it was approved.
    public let approvedAt: Date?
    /// Who withdrew, replaced or erased it; `ledgerd`: it had served nobody for a year, or was not approved for 30 days.
    public let endedBy: String?
    /// When it was withdrawn, replaced or erased.
    public let endedAt: Date?

    private enum CodingKeys: String, CodingKey {
        case id, status, bank, holder
        case numberEnd = "number_end"
        case proposedBy = "proposed_by"
        case proposedAt = "proposed_at"
        case approvedBy = "approved_by"
        case approvedAt = "approved_at"
        case endedBy = "ended_by"
        case endedAt = "ended_at"
    }

    /// Creates it from its members.
    public init(
        id: Int64, status: String, bank: String?, numberEnd: String?, holder: String?, proposedBy: String,
        proposedAt: Date, approvedBy: String?, approvedAt: Date?, endedBy: String?, endedAt: Date?
    ) {
        self.id = id
        self.status = status
        self.bank = bank
        self.numberEnd = numberEnd
        self.holder = holder
        self.proposedBy = proposedBy
        self.proposedAt = proposedAt
        self.approvedBy = approvedBy
        self.approvedAt = approvedAt
        self.endedBy = endedBy
        self.endedAt = endedAt
    }
}

/// A request to propose a provider's bank account.
public struct ProviderAccountRequest: Codable, Hashable, Sendable {
    /// The bank, as the bank's file for transfers names it: a name or a code.
    public var bank: Member.AccountPart
    /// The account number.
    public var number: Member.AccountPart
    /// The holder of the account.
    public var holder: Member.AccountPart

    /// The names of its members.
    public enum CodingKeys: String, CodingKey, CaseIterable { case bank, number, holder }

    /// Payouts are to go to this account.
    public init(bank: String, number: String, holder: String) {
        self.bank = bank
        self.number = number
        self.holder = holder
    }
}

/// A request to approve a provider's bank account.
public struct ProviderAccountApprovalRequest: Codable, Hashable, Sendable {
    /// The account number as the approver has it from the provider; dashes and spaces don't count.
    public var number: Member.Text

    /// The names of its members.
    public enum CodingKeys: String, CodingKey, CaseIterable { case number }

    /// The account has this number.
    public init(number: String) { self.number = number }
}

extension ProviderAccountBody: ListedBody {
    /// `accounts`.
    public static let listName = "accounts"
}
