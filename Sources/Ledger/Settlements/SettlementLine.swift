package import Foundation

/// A line of a settlement file: the payout of a payment, or the deduction for a refund of it.
@dynamicMemberLookup
package struct SettlementLine: Sendable, Equatable, Identifiable {
    /// The status of a line.
    package enum Status: String, Sendable, CaseIterable {
        /// The line is not booked yet.
        case waiting
        /// The line is booked.
        case settled
        /// The ledger has no purchase with the payment's id.
        case unmatched
        /// The line can't be booked: see ``SettlementLine/reason``.
        case refused
        /// The line is ``unmatched``, and a person said that it is not ours: see ``SettlementLine/dismissal``.
        case dismissed
    }

    /// A person's decision that a line is not ours.
    package struct Dismissal: Sendable, Equatable {
        /// What such a line is.
        package enum Kind: String, Sendable, CaseIterable {
            /// Goods or services that ledgerd has no part in, such as another shop's.
            case otherGoods = "other_goods"
            /// A sum of other lines, or a carry-over.
            case total
            case other
        }

        /// Nil: it was dismissed before kinds were asked for.
        package let kind: Kind?
        package let reason: String
        package let by: String
        package let at: Date
        /// The other person who looked at it too; nil: nobody has yet.
        package let checkedBy: String?

        /// Who decided it.
        package var person: Identity { Identity(by) }
    }

    package let id: Int64
    package let fileID: Int64
    package let draft: SettlementLineDraft
    package internal(set) var status: Status
    /// Why the line is refused; nil: it is not.
    package let reason: String?
    /// The purchase of the payment; nil: the line is not booked.
    package internal(set) var purchaseID: Int64?
    /// The journal entry of the payout; nil: the line is not booked.
    package internal(set) var journalEntryID: Int64?
    /// The part of the tax that was booked as input VAT; 0: VAT was off, or the line is not booked.
    package internal(set) var inputVAT: Int64 = 0
    /// The won that left the carrying amount of a payment in a foreign currency; nil: it was paid in won, or the line is not
    /// booked.
    package internal(set) var carried: Int64?
    /// When the line was booked.
    package internal(set) var settledAt: Date?
    /// Why the line is dismissed; nil: it is not.
    package let dismissal: Dismissal?

    /// The members of ``draft``.
    package subscript<Value>(dynamicMember member: KeyPath<SettlementLineDraft, Value>) -> Value {
        draft[keyPath: member]
    }
}

/// An imported settlement file.
package struct SettlementFile: Sendable, Equatable, Identifiable {
    package let id: Int64
    /// The file's name.
    package let name: String
    /// The SHA-256 of the content, in hexadecimal digits.
    package let sha256: String
    /// Who imported it first.
    package let importedBy: String
    package let importedAt: Date
    /// The number of lines by status.
    package let lines: [SettlementLine.Status: Int64]
    /// The sums of the booked lines.
    package let settled: SettlementTotals
}

/// The sums of settlement lines, in won.
package struct SettlementTotals: Sendable, Equatable {
    /// The gross amounts.
    package let gross: Int64
    /// The gateway's fees.
    package let fee: Int64
    /// The taxes on the fees.
    package let tax: Int64
    /// The amounts paid to the bank account.
    package let net: Int64
}
