import Foundation
import Ledger

/// A seal, in a list.
struct SealBody: Encodable {
    let id: Int64
    let sealedAt: Date
    let entries: Int64
    let head: String
    let keyID: String

    enum CodingKeys: String, CodingKey {
        case id, entries, head
        case sealedAt = "sealed_at"
        case keyID = "key_id"
    }

    init(_ kept: Seals.Kept) {
        id = kept.id
        sealedAt = kept.seal.statement.sealedAt
        entries = kept.seal.statement.entries
        head = kept.seal.statement.head
        keyID = kept.seal.publicKey.id
    }
}
