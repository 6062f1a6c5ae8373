public import Foundation

/// A row as it was read from a statement.
public struct SettlementDraft: Sendable, Equatable {
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
    public internal(set) var place: Int64 = 1
}

/// A statement of payouts, read.
public struct SettlementStatement: Sendable {
    /// What it is called.
    public let name: String
    /// The SHA-256 of its content: the same content is the same statement, whatever it is called.
    public let sha256: [UInt8]
    /// Its rows that can be booked.
    public let rows: [SettlementDraft]
    /// What is wrong with the others.
    public let problems: [StatementProblem]
}
