import FoundationEssentials
import SandboxSupport

/// Many equal payments in one request, for tests that need tens of thousands.
struct PaymentBatch: Sendable {
    let draft: PaymentDraft
    let count: Int
    /// The number of seconds between the times of two payments.
    private let secondsApart: Int

    /// Reads a payment with a `count`; nil without a `count`.
    init?(_ body: JSONValue) throws(ControlError) {
        guard case .object(var members) = body, members["count"] != nil else { return nil }
        let own = try ControlMembers(body.only(["count", "seconds_apart"]), known: ["count", "seconds_apart"])
        guard let count = try own.integer("count", in: 1...100_000) else { return nil }
        self.count = count
        secondsApart = try own.integer("seconds_apart", in: 0...86_400) ?? 0
        members["count"] = nil
        members["seconds_apart"] = nil
        draft = try PaymentDraft(.object(members))
    }

    /// The payments' drafts, numbered from 1.
    var drafts: some Sequence<PaymentDraft> {
        (1...count).lazy.map { draft.numbered($0, after: Double(($0 - 1) * secondsApart)) }
    }
}

extension JSONValue {
    /// The object with only these members.
    fileprivate func only(_ names: Set<String>) -> JSONValue {
        guard case .object(let members) = self else { return self }
        return .object(members.filter { names.contains($0.key) })
    }
}
