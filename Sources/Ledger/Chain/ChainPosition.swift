/// The position of an entry in the chain: by transaction, then by id.
///
/// Entry ids are taken in blocks, so they do not have the order of commits. Transaction ids do not have it either, but
/// no entry is added below the oldest running transaction.
struct ChainPosition: Sendable, Comparable {
    /// The transaction that wrote the entry; 0 for entries from before the chain existed.
    let transactionID: Int64
    let entryID: Int64

    /// Before the first entry, whatever its id is.
    static let start = ChainPosition(transactionID: 0, entryID: .min)

    /// After the last entry of all earlier transactions.
    static func before(transaction: Int64) -> ChainPosition {
        ChainPosition(transactionID: transaction - 1, entryID: .max)
    }

    static func < (left: ChainPosition, right: ChainPosition) -> Bool {
        (left.transactionID, left.entryID) < (right.transactionID, right.entryID)
    }
}
