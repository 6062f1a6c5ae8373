import Crypto

/// What verified tokens said, until they expire.
///
/// A token is known by its SHA-256: nothing that is kept here could be presented. There are two generations, each of half
/// the bounds: who asks again moves to the younger one, and when that is full, the older one is forgotten. So what is
/// used stays, what isn't goes, and nothing has to be searched for what to drop.
struct VerifiedTokens: Sendable {
    /// A token, as it is known here.
    typealias Name = SHA256.Digest

    /// What a token said.
    struct Entry: Sendable {
        let principal: Principal
        /// Seconds since 1970, as the claims have them.
        let notBefore: Double?
        let expiry: Double

        /// What it takes, in bytes, about: the digest, the entry, a slot of the table and the subject's text.
        fileprivate var size: Int { 192 + principal.subject.utf8.count }
    }

    private struct Generation: Sendable {
        var entries: [Name: Entry] = [:]
        var size = 0
    }

    private let maxEntries: Int
    private let maxBytes: Int
    private var young = Generation()
    private var old = Generation()

    /// - Parameters:
    ///   - maxEntries: how many tokens are kept at most.
    ///   - maxBytes: how much memory they may take together, about.
    init(maxEntries: Int = 16_384, maxBytes: Int = 8 << 20) {
        self.maxEntries = maxEntries
        self.maxBytes = maxBytes
    }

    /// How many tokens are kept.
    var count: Int { young.entries.count + old.entries.count }

    /// How much memory they take, about.
    var size: Int { young.size + old.size }

    /// What the token said, if it is known.
    mutating func entry(_ name: Name) -> Entry? {
        if let entry = young.entries[name] { return entry }
        guard let entry = old.entries.removeValue(forKey: name) else { return nil }
        old.size -= entry.size
        keep(entry, as: name)
        return entry
    }

    /// Keeps what a token that is not known said.
    mutating func keep(_ entry: Entry, as name: Name) {
        guard entry.size <= maxBytes / 2, maxEntries > 1, young.entries[name] == nil else { return }
        if young.entries.count >= maxEntries / 2 || young.size + entry.size > maxBytes / 2 {
            old = young
            young = Generation()
        }
        young.entries[name] = entry
        young.size += entry.size
    }

    /// Forgets a token.
    mutating func forget(_ name: Name) {
        if let entry = young.entries.removeValue(forKey: name) { young.size -= entry.size }
        if let entry = old.entries.removeValue(forKey: name) { old.size -= entry.size }
    }
}
