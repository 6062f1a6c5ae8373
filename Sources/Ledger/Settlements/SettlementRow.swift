public import Foundation

/// A row of a statement of payouts: what was paid out of one payment, or kept back for a refund of it.
public struct SettlementRow: Sendable, Equatable, Identifiable, Codable {
    /// Where a row stands.
    public enum Status: String, Sendable, Codable, CaseIterable {
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
    /// The line of the file in which it begins, from 1.
    public let line: Int64
    /// The payment's id as the file has it.
    public let payment: String
    /// What it is about, in won; below zero: of a refund.
    public let gross: Int64
    /// What the gateway keeps of it.
    public let fee: Int64
    /// The tax on that.
    public let tax: Int64
    /// What reached the bank.
    public let net: Int64
    /// The day of the payout, `2026-11-20`.
    public let paidOutOn: String
    /// When it was paid out.
    public let paidOutAt: Date
    /// Its place among the file's rows of the same payment, day and direction, from 1.
    public let place: Int64
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
