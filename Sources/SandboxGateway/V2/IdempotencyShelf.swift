import FoundationEssentials

/// Responses by `Idempotency-Key`, stored for three hours (PortOne V2 contract, Idempotency-Key).
///
/// At most 10,000 responses; the oldest are dropped first.
actor IdempotencyShelf {
    /// The identity of a request.
    struct Fingerprint: Hashable, Codable, Sendable {
        let method: String
        let path: String
        /// The SHA-256 of the body.
        let body: Data
    }

    /// The response to a request.
    struct StoredAnswer: Codable, Sendable {
        let key: String
        let fingerprint: Fingerprint
        let startedAt: Date
        let answer: V2Answer
    }

    private struct Entry {
        let fingerprint: Fingerprint
        let startedAt: Date
        var answer: V2Answer?
    }

    private let now: @Sendable () -> Date
    private let file: StateFile?
    private var entries: [String: Entry] = [:]
    private var sequence: [String] = []

    private static let lifetime = 3 * 3600.0
    private static let capacity = 10_000

    init(_ saved: [StoredAnswer] = [], file: StateFile? = nil, now: @escaping @Sendable () -> Date) {
        self.now = now
        self.file = file
        for answer in saved.suffix(Self.capacity) {
            entries[answer.key] = Entry(
                fingerprint: answer.fingerprint, startedAt: answer.startedAt, answer: answer.answer)
            sequence.append(answer.key)
        }
    }

    /// Begins a request.
    ///
    /// - Returns: the stored response; nil if the request is new.
    func begin(_ key: String, _ fingerprint: Fingerprint) throws(V2Refusal) -> V2Answer? {
        if let entry = entries[key], now().timeIntervalSince(entry.startedAt) < Self.lifetime {
            guard entry.fingerprint == fingerprint else { throw .keyReused }
            guard let answer = entry.answer else { throw .outstanding }
            return answer
        }
        if entries.updateValue(Entry(fingerprint: fingerprint, startedAt: now()), forKey: key) == nil {
            sequence.append(key)
        }
        if sequence.count > Self.capacity + Self.capacity / 8 {
            for key in sequence.prefix(sequence.count - Self.capacity) { entries[key] = nil }
            sequence.removeFirst(sequence.count - Self.capacity)
        }
        return nil
    }

    /// Stores the response; nil removes the request.
    func end(_ key: String, _ answer: V2Answer?) {
        guard let answer else {
            entries[key] = nil
            sequence.removeAll { $0 == key }
            return
        }
        entries[key]?.answer = answer
        guard let entry = entries[key] else { return }
        file?.append([
            .answer(
                StoredAnswer(key: key, fingerprint: entry.fingerprint, startedAt: entry.startedAt, answer: answer))
        ])
    }
}
