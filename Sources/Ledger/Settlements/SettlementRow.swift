public import Foundation

/// A row of a statement of payouts: what was paid out of one payment, or kept back for a refund of it.
@dynamicMemberLookup
public struct SettlementRow: Sendable, Equatable, Identifiable {
    /// Where a row stands.
    public enum Status: String, Sendable, CaseIterable {
        /// It is still to be booked.
        case waiting
        /// It is booked.
        case settled
        /// No payment of the books has its id.
        case unmatched
        /// It can't be booked: see ``SettlementRow/reason``.
        case refused
    }

    /// Its id among all rows.
    public let id: Int64
    /// The file that it stands in.
    public let fileID: Int64
    /// What it says.
    public let draft: SettlementDraft
    /// Where it stands.
    public internal(set) var status: Status
    /// Why it is refused.
    public let reason: String?
    /// The purchase that it is of.
    public internal(set) var purchaseID: Int64?
    /// The journal entry that books it.
    public internal(set) var journalEntryID: Int64?
    /// When it was booked.
    public internal(set) var settledAt: Date?

    /// What it says, as if it stood here.
    public subscript<Value>(dynamicMember member: KeyPath<SettlementDraft, Value>) -> Value { draft[keyPath: member] }
}

/// A statement of payouts that was imported.
public struct SettlementFile: Sendable, Equatable, Identifiable {
    /// Its id.
    public let id: Int64
    /// What it is called.
    public let name: String
    /// The SHA-256 of its content, in hexadecimal digits.
    public let sha256: String
    /// Who imported it first.
    public let importedBy: String
    /// When.
    public let importedAt: Date
    /// How many of its rows stand how.
    public let rows: [SettlementRow.Status: Int64]
    /// What its booked rows add up to.
    public let settled: SettlementTotals
}

/// What rows add up to, in won.
public struct SettlementTotals: Sendable, Equatable {
    /// What they are about.
    public let gross: Int64
    /// What the gateway kept.
    public let fee: Int64
    /// The tax on that.
    public let tax: Int64
    /// What reached the bank.
    public let net: Int64
}
