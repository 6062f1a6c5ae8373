public import Foundation

/// A row of a settlement file: the payout of one payment, or the deduction for a refund of it.
public struct SettlementRowBody: Codable, Hashable, Sendable {
    /// The id of the settlement file; only in the list of all files' lines.
    public let settlement: Member.ID?
    /// The line number in the file, from 1; of a finance report, which has no line for a payment, another number.
    public let line: Member.ID
    /// The payment id in the file.
    public let payment: String
    /// The gross amount, in won; negative for a refund; of a payment in a foreign currency, at the rate of the payout.
    public let gross: Int64
    /// The gateway's fee, in won.
    public let fee: Int64
    /// The tax on the fee, in won.
    public let tax: Int64
    /// The net amount that reached the bank, in won.
    public let net: Int64
    /// What was paid, in minor units of `foreign_currency`; nil: it was paid in won.
    public let foreignGross: Int64?
    /// The currency of the payment; nil: won.
    public let foreignCurrency: String?
    /// The won that left the carrying amount of a payment in a foreign currency: what `gross` is more is exchange gain.
    public let carried: Int64?
    /// The settlement date in the file; of the file of a store, the day of the transaction or the last one of the period.
    public let paidOutOn: Member.Day
    /// `settled`: booked; `unmatched`: no payment has this id; `refused`: see `reason`; `dismissed`: unmatched, and not
    /// ours by a person's decision; `waiting`: the import was interrupted; nil in a preview.
    ///
    /// - Values: `waiting`, `settled`, `unmatched`, `refused`, `dismissed`
    public let status: String?
    /// Why it was refused: `already_settled`, `settled_otherwise`, `exceeds_payment`, `foreign_currency`,
    /// `paid_out_in_future`, `paid_out_before_payment`, `fee_exceeds_gross`, `rate_implausible`, `changed_meanwhile`,
    /// `named_otherwise` or `ambiguous`; why it was dismissed, in a person's words.
    public let reason: String?
    /// The id of the purchase of the line.
    public let purchase: Member.ID?
    /// The id of the journal entry of the line.
    public let journalEntryID: Member.ID?
    /// Who dismissed the line, which says that it is not ours; at a terminal of the server, `terminal:` and a name.
    public let dismissedBy: String?
    /// When the line was dismissed.
    public let dismissedAt: Date?
    /// What the dismissed line is; nil: it is not dismissed, or was before that was asked.
    ///
    /// - Values: `other_goods`, `total`, `other`
    public let dismissedAs: String?
    /// Who took the second look at the dismissal, and agrees; nil: nobody yet.
    public let checkedBy: String?

    private enum CodingKeys: String, CodingKey {
        case settlement, line, payment, gross, fee, tax, net, carried, status, reason, purchase
        case foreignGross = "foreign_gross"
        case foreignCurrency = "foreign_currency"
        case paidOutOn = "paid_out_on"
        case journalEntryID = "journal_entry_id"
        case dismissedBy = "dismissed_by"
        case dismissedAt = "dismissed_at"
        case dismissedAs = "dismissed_as"
        case checkedBy = "checked_by"
    }

    /// Creates it from its members.
    public init(
        settlement: Int64? = nil, line: Int64, payment: String, gross: Int64, fee: Int64, tax: Int64, net: Int64,
        foreignGross: Int64? = nil, foreignCurrency: String? = nil, carried: Int64? = nil, paidOutOn: String,
        status: String?, reason: String?, purchase: Int64?, journalEntryID: Int64?, dismissedBy: String? = nil,
        dismissedAt: Date? = nil, dismissedAs: String? = nil, checkedBy: String? = nil
    ) {
        self.settlement = settlement
        self.line = line
        self.payment = payment
        self.gross = gross
        self.fee = fee
        self.tax = tax
        self.net = net
        self.foreignGross = foreignGross
        self.foreignCurrency = foreignCurrency
        self.carried = carried
        self.paidOutOn = paidOutOn
        self.status = status
        self.reason = reason
        self.purchase = purchase
        self.journalEntryID = journalEntryID
        self.dismissedBy = dismissedBy
        self.dismissedAt = dismissedAt
        self.dismissedAs = dismissedAs
        self.checkedBy = checkedBy
    }
}

/// A request to dismiss a line of a settlement file.
public struct SettlementDismissalRequest: Codable, Hashable, Sendable {
    /// Why the line is not ours.
    public var reason: Member.Text
    /// What the line is: goods that ledgerd has no part in, a sum of other lines, or something else; nil: `other`.
    ///
    /// - Values: `other_goods`, `total`, `other`
    public var kind: String?

    /// The names of its members.
    public enum CodingKeys: String, CodingKey, CaseIterable { case reason, kind }

    /// The line is not ours, for this reason.
    public init(reason: String, kind: String? = nil) {
        self.reason = reason
        self.kind = kind
    }
}

/// What became of the lines whose payment was credited after their import.
public struct SettlementMatchBody: Codable, Hashable, Sendable {
    /// The number of lines that were booked.
    public let booked: Int64
    /// The number of lines whose payment is in the books, of which at most 1,000 are taken at a time; those that are not
    /// booked are refused, with a reason.
    public let lines: Int64

    /// Creates it from its members.
    public init(booked: Int64, lines: Int64) {
        self.booked = booked
        self.lines = lines
    }
}

extension SettlementRowBody: ListedBody {
    /// `rows`.
    public static let listName = "rows"
}
