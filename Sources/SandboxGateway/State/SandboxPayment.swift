import FoundationEssentials

/// A payment as PortOne V1 keeps it (PortOne V1 contract, payment object).
struct SandboxPayment: Hashable, Sendable {
    /// V1 has no partial state: a payment is `cancelled` as soon as a part of it is.
    enum Status: String, Hashable, Sendable, CaseIterable {
        case ready
        case paid
        case cancelled
        case failed
    }

    /// One executed cancellation.
    struct Cancellation: Hashable, Sendable {
        let id: String
        let amount: Decimal
        let at: Date
        let reason: String
    }

    let impUID: String
    let merchantUID: String
    let amount: Decimal
    let currency: String
    let payMethod: String
    let isTest: Bool
    let customData: String?
    let details: [String: JSONValue]
    let startedAt: Date

    private(set) var status = Status.ready
    private(set) var updatedAt: Date
    private(set) var paidAt: Date?
    private(set) var failedAt: Date?
    private(set) var failReason: String?
    private(set) var cancellations: [Cancellation] = []

    init(_ draft: PaymentDraft, impUID: String, now: Date) {
        self.impUID = impUID
        merchantUID = draft.merchantUID
        amount = draft.amount
        currency = draft.currency
        payMethod = draft.payMethod
        isTest = draft.isTest
        customData = draft.customData
        details = draft.details
        startedAt = draft.startedAt ?? now
        updatedAt = now
    }

    var cancelledAmount: Decimal { cancellations.reduce(0) { $0 + $1.amount } }

    /// What can still be cancelled.
    var balance: Decimal { paidAt == nil ? 0 : amount - cancelledAmount }

    /// Whether money was ever taken.
    var wasApproved: Bool { paidAt != nil }

    /// The moment that lists go by: it follows the *current* status (PortOne V1 contract, status list).
    var listedAt: Date {
        switch status {
        case .ready: startedAt
        case .paid: paidAt ?? startedAt
        case .cancelled: cancellations.last?.at ?? startedAt
        case .failed: failedAt ?? startedAt
        }
    }

    mutating func pay(at moment: Date, now: Date) {
        status = .paid
        paidAt = moment
        failedAt = nil
        failReason = nil
        updatedAt = now
    }

    mutating func fail(_ reason: String?, now: Date) {
        status = .failed
        failedAt = now
        failReason = reason
        updatedAt = now
    }

    mutating func cancel(_ cancellation: Cancellation) {
        status = .cancelled
        cancellations.append(cancellation)
        updatedAt = cancellation.at
    }
}
