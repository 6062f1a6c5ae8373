package import Foundation

/// A line of a settlement file: what was paid out of one payment, or kept back for a refund of it.
@dynamicMemberLookup
package struct SettlementLine: Sendable, Equatable, Identifiable {
    /// Where a line stands.
    package enum Status: String, Sendable, CaseIterable {
        /// It is still to be booked.
        case waiting
        /// It is booked.
        case settled
        /// No payment of the books has its id.
        case unmatched
        /// It can't be booked: see ``SettlementLine/reason``.
        case refused
    }

    /// Its id among all lines.
    package let id: Int64
    /// The file that it stands in.
    package let fileID: Int64
    /// What it says.
    package let draft: SettlementLineDraft
    /// Where it stands.
    package internal(set) var status: Status
    /// Why it is refused.
    package let reason: String?
    /// The purchase that it is of.
    package internal(set) var purchaseID: Int64?
    /// The journal entry that books it.
    package internal(set) var journalEntryID: Int64?
    /// When it was booked.
    package internal(set) var settledAt: Date?

    /// What it says, as if it stood here.
    package subscript<Value>(dynamicMember member: KeyPath<SettlementLineDraft, Value>) -> Value {
        draft[keyPath: member]
    }
}

/// A settlement file that was imported.
package struct SettlementFile: Sendable, Equatable, Identifiable {
    /// Its id.
    package let id: Int64
    /// What it is called.
    package let name: String
    /// The SHA-256 of its content, in hexadecimal digits.
    package let sha256: String
    /// Who imported it first.
    package let importedBy: String
    /// When.
    package let importedAt: Date
    /// How many of its lines stand how.
    package let lines: [SettlementLine.Status: Int64]
    /// What its booked lines add up to.
    package let settled: SettlementTotals
}

/// What lines add up to, in won.
package struct SettlementTotals: Sendable, Equatable {
    /// What they are about.
    package let gross: Int64
    /// What the gateway kept.
    package let fee: Int64
    /// The tax on that.
    package let tax: Int64
    /// What reached the bank.
    package let net: Int64
}
