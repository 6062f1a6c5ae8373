import Foundation
import Ledger

/// One act on a user's coins.
struct StatementEntryBody: Encodable {
    let journalEntryID: Int64
    let kind: String
    let reference: String
    let reason: String?
    let coins: Int64
    let balance: Int64
    let movements: [MovementBody]
    let effectiveAt: Date
    let recordedAt: Date

    struct MovementBody: Encodable {
        let account: String
        let coins: Int64
        let balance: Int64
    }

    enum CodingKeys: String, CodingKey {
        case kind, reference, reason, coins, balance, movements
        case journalEntryID = "journal_entry_id"
        case effectiveAt = "effective_at"
        case recordedAt = "recorded_at"
    }

    init(_ entry: StatementEntry) {
        journalEntryID = entry.journalEntryID
        kind = entry.kind
        reference = entry.reference
        reason = entry.reason
        coins = entry.coins
        balance = entry.balance
        movements = entry.movements.map {
            MovementBody(account: $0.account, coins: $0.coins, balance: $0.balance)
        }
        effectiveAt = entry.effectiveAt
        recordedAt = entry.recordedAt
    }
}
