import Foundation
import Ledger

/// One movement of a user's coins.
struct StatementEntryBody: Encodable {
    let journalEntryID: Int64
    let account: String
    let kind: String
    let reference: String
    let coins: Int64
    let balance: Int64
    let effectiveAt: Date
    let recordedAt: Date

    enum CodingKeys: String, CodingKey {
        case account, kind, reference, coins, balance
        case journalEntryID = "journal_entry_id"
        case effectiveAt = "effective_at"
        case recordedAt = "recorded_at"
    }

    init(_ entry: StatementEntry) {
        journalEntryID = entry.journalEntryID
        account = entry.account
        kind = entry.kind
        reference = entry.reference
        coins = entry.coins
        balance = entry.balance
        effectiveAt = entry.effectiveAt
        recordedAt = entry.recordedAt
    }
}
