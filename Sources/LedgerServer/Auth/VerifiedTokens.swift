import Crypto

/// A cache of the claims of verified tokens.
///
/// A token is identified by its SHA-256, so the cache has no usable tokens. It has two generations, each with half of
/// the limits. A used entry moves to the young generation; when that is full, the old generation is dropped. So used
/// entries stay without a search for the least used ones.
struct VerifiedTokens: Sendable {
    /// The SHA-256 of a token.
    typealias Name = SHA256.Digest

    /// The claims of a token.
    struct Entry: Sendable {
        let principal: Principal
        /// The claim `nbf`, in seconds since 1970.
        let notBefore: Double?
        let expiry: Double

        /// The approximate size in bytes: digest, entry, slot of the table and text of the subject.
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
    ///   - maxEntries: the maximum number of entries.
    ///   - maxBytes: the approximate maximum size, in bytes.
    init(maxEntries: Int = 16_384, maxBytes: Int = 8 << 20) {
        self.maxEntries = maxEntries
        self.maxBytes = maxBytes
    }

    var count: Int { young.entries.count + old.entries.count }

    /// The approximate size of all entries, in bytes.
    var size: Int { young.size + old.size }

    /// The entry of a token, if it is cached.
    mutating func entry(_ name: Name) -> Entry? {
        if let entry = young.entries[name] { return entry }
        guard let entry = old.entries.removeValue(forKey: name) else { return nil }
        old.size -= entry.size
        keep(entry, as: name)
        return entry
    }

    /// Adds the entry of a token.
    mutating func keep(_ entry: Entry, as name: Name) {
        guard entry.size <= maxBytes / 2, maxEntries > 1, young.entries[name] == nil else { return }
        if young.entries.count >= maxEntries / 2 || young.size + entry.size > maxBytes / 2 {
            old = young
            young = Generation()
        }
        young.entries[name] = entry
        young.size += entry.size
    }

    /// Removes the entry of a token.
    mutating func forget(_ name: Name) {
        if let entry = young.entries.removeValue(forKey: name) { young.size -= entry.size }
        if let entry = old.entries.removeValue(forKey: name) { old.size -= entry.size }
    }
}
