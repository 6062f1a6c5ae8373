import Crypto

/// The state of the chain after a number of entries: a hash of all of them in order, and their totals.
struct ChainState: Sendable, Equatable {
    let format: ChainFormat
    private(set) var entries: Int64 = 0
    /// SHA-256 of the previous hash and the last entry; zeros before the first entry.
    private(set) var hash = [UInt8](repeating: 0, count: SHA256.byteCount)
    /// Debits and credits by kind of account.
    private(set) var totals: [AccountClass: ChainTotal] = [:]

    init(_ format: ChainFormat = .newest) { self.format = format }

    /// The state of a link.
    init(_ format: ChainFormat = .newest, entries: Int64, hash: [UInt8], totals: [AccountClass: ChainTotal]) {
        self.format = format
        self.entries = entries
        self.hash = hash
        self.totals = totals
    }

    /// Adds an entry.
    mutating func add(_ entry: ChainEntry, _ buffer: inout [UInt8]) {
        buffer.removeAll(keepingCapacity: true)
        entry.encode(format, into: &buffer)
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

/// A kind of account in one currency, such as all paid wallets, or a system account of all stripes.
package struct AccountClass: Hashable, Comparable, Sendable {
    /// The name, such as `wallet:paid` or `coins:issued`.
    package let name: String
    /// The currency's code.
    package let currency: String

    /// Orders by name, then currency.
    package static func < (left: AccountClass, right: AccountClass) -> Bool {
        (left.name, left.currency) < (right.name, right.currency)
    }
}

/// The sums of debits and credits.
package struct ChainTotal: Hashable, Sendable {
    /// The sum of debits.
    package internal(set) var debits: Int64 = 0
    /// The sum of credits.
    package internal(set) var credits: Int64 = 0

    /// No debits and no credits.
    package static let zero = ChainTotal()

    /// These sums and others.
    package func adding(_ other: ChainTotal) -> ChainTotal {
        ChainTotal(debits: debits &+ other.debits, credits: credits &+ other.credits)
    }

    // Wraps on overflow: a forged amount must be found and must not end the process.
    mutating func add(_ amount: Int64, _ side: String) {
        if side == Side.debit.rawValue { debits &+= amount } else { credits &+= amount }
    }
}
