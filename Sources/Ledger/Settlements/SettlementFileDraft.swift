package import Foundation

/// A line as it was read from a settlement file.
package struct SettlementLineDraft: Sendable, Equatable {
    /// The number of the line in which it begins, from 1.
    package let number: Int64
    /// The payment's id as the file has it.
    package let payment: String
    /// What it is about, in won; below zero: of a refund.
    package let gross: Int64
    /// What the gateway keeps of it.
    package let fee: Int64
    /// The tax on that.
    package let tax: Int64
    /// What reached the bank.
    package let net: Int64
    /// The day of the payout, `2026-11-20`.
    package let paidOutOn: String
    /// When it was paid out.
    package let paidOutAt: Date
    /// Its place among the file's lines of the same payment, day and direction, from 1.
    package internal(set) var place: Int64 = 1
}

/// A settlement file, read and to be imported.
package struct SettlementFileDraft: Sendable {
    /// What it is called.
    package let name: String
    /// The SHA-256 of its content: the same content is the same file, whatever it is called.
    package let sha256: [UInt8]
    /// Its lines that can be booked.
    package let lines: [SettlementLineDraft]
    /// What is wrong with the others.
    package let problems: [SettlementFileProblem]
}
