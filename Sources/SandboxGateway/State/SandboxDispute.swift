import FoundationEssentials

/// A buyer's dispute of a payment (PortOne V2 contract, payment).
struct SandboxDispute: Hashable, Codable, Sendable {
    let id: String
    let reason: String
    let createdAt: Date
    private(set) var resolvedAt: Date?

    init(reason: String, now: Date) {
        id = "dispute-" + UUID().uuidString.lowercased()
        self.reason = reason
        createdAt = now
    }

    mutating func resolve(now: Date) { resolvedAt = now }
}
