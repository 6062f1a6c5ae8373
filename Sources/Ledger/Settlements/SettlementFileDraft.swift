package import Foundation

/// A line that was read from a settlement file.
package struct SettlementLineDraft: Sendable, Equatable {
    /// The number of the first line of the record, from 1.
    package let number: Int64
    /// The payment id in the file.
    package let payment: String
    /// The gross amount in won; negative for a refund.
    package let gross: Int64
    /// The gateway's fee.
    package let fee: Int64
    /// The tax on the fee.
    package let tax: Int64
    /// The amount paid to the bank account.
    package let net: Int64
    /// The day of the payout, such as `2026-11-20`.
    package let paidOutOn: String
    /// When it was paid out.
    package let paidOutAt: Date
    /// The number of the line among the file's lines of the same payment, day and direction, from 1.
    package internal(set) var place: Int64 = 1
    /// What ``gross`` is of, if the payment is in a foreign currency: then all won are at the rate of the payout.
    package var foreign: ForeignGross?
    /// What ``net`` is of, in minor units of that currency; nil: the file tells only its won.
    ///
    /// It tells the rate of a fee without a gross amount.
    var foreignNet: Int64?

    /// The gross amount in the payment's currency, in minor units.
    package var paid: Int64 { foreign?.amount ?? gross }
}

/// The gross amount of a settlement line in a foreign currency.
package struct ForeignGross: Sendable, Hashable {
    /// In minor units; negative for a refund.
    package let amount: Int64
    package let currency: ForeignCurrency
}

/// A settlement file to import.
package struct SettlementFileDraft: Sendable {
    /// The file's name.
    package let name: String
    /// The SHA-256 of the content.
    ///
    /// Files with the same content are the same file, whatever their names.
    package let sha256: [UInt8]
    /// The lines that can be booked.
    package let lines: [SettlementLineDraft]
    /// The errors of the other lines.
    package let problems: [SettlementFileProblem]
    /// Rows that are no payouts, such as totals.
    package let leftOut: [LeftOutRow]
}
