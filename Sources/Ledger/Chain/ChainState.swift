import Crypto

/// What the chain comes to after so many entries: a hash of all of them in order, and what they add up to.
struct ChainState: Sendable, Equatable {
    /// How many entries.
    private(set) var entries: Int64 = 0
    /// SHA-256 of the hash before and the last entry; zeros before the first.
    private(set) var hash = [UInt8](repeating: 0, count: SHA256.byteCount)
    /// Debits and credits by kind of account.
    private(set) var totals: [AccountClass: ChainTotal] = [:]

    init() {}

    /// The state that a link says.
    init(entries: Int64, hash: [UInt8], totals: [AccountClass: ChainTotal]) {
        self.entries = entries
        self.hash = hash
        self.totals = totals
    }

    /// Goes on by an entry.
    mutating func add(_ entry: ChainEntry, _ buffer: inout [UInt8]) {
        buffer.removeAll(keepingCapacity: true)
        entry.encode(into: &buffer)
        var hasher = SHA256()
        hasher.update(data: hash)
        hasher.update(data: buffer)
        hash = Array(hasher.finalize())
        entries += 1
        for posting in entry.postings {
            totals[posting.classification, default: ChainTotal()].add(posting.amount, posting.side)
        }
    }
}

/// A kind of account in one currency: everybody's paid wallets, or a system account of all stripes.
package struct AccountClass: Hashable, Comparable, Sendable {
    /// `wallet:paid`, `coins:issued`.
    package let name: String
    /// The currency's code.
    package let currency: String

    /// By name, then currency.
    package static func < (left: AccountClass, right: AccountClass) -> Bool {
        (left.name, left.currency) < (right.name, right.currency)
    }
}

/// What was debited and credited in all.
package struct ChainTotal: Hashable, Sendable {
    /// The sum of debits.
    package internal(set) var debits: Int64 = 0
    /// The sum of credits.
    package internal(set) var credits: Int64 = 0

    // An amount that was tampered with must be found, and not stop who looks for it.
    mutating func add(_ amount: Int64, _ side: String) {
        if side == Side.debit.rawValue { debits &+= amount } else { credits &+= amount }
    }
}
