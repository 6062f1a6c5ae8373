/// Where an entry stands in the order of the chain: by transaction, then by id.
///
/// Ids come in blocks, so they don't tell the order of commits. Transaction ids don't either, but below the oldest
/// transaction that still runs nothing is added any more.
struct ChainPosition: Sendable, Comparable {
    /// The transaction that wrote the entry; 0 for those from before there was a chain.
    let transactionID: Int64
    let entryID: Int64

    /// Before the first entry, whatever id somebody may have given it.
    static let start = ChainPosition(transactionID: 0, entryID: .min)

    /// After the last entry of all transactions before this one.
    static func before(transaction: Int64) -> ChainPosition {
        ChainPosition(transactionID: transaction - 1, entryID: .max)
    }

    static func < (left: ChainPosition, right: ChainPosition) -> Bool {
        (left.transactionID, left.entryID) < (right.transactionID, right.entryID)
    }
}
