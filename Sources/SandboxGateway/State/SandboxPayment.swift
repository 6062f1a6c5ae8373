import FoundationEssentials

/// One attempt to pay, for both of PortOne's APIs (PortOne V1 and V2 contracts, payment object).
struct SandboxPayment: Hashable, Codable, Sendable {
    /// V2's states; V1 has fewer.
    enum Status: String, Hashable, Codable, Sendable, CaseIterable {
        case ready = "READY"
        case payPending = "PAY_PENDING"
        case accountIssued = "VIRTUAL_ACCOUNT_ISSUED"
        case paid = "PAID"
        case failed = "FAILED"
        case partialCancelled = "PARTIAL_CANCELLED"
        case cancelled = "CANCELLED"
    }

    /// One of PortOne's APIs.
    enum Version: String, Hashable, Codable, Sendable, CaseIterable {
        case v1 = "V1"
        case v2 = "V2"
    }

    /// The API of a payment, or both: each then shows it as its own.
    enum Home: String, Hashable, Codable, Sendable, CaseIterable {
        case v1 = "V1"
        case v2 = "V2"
        case both

        init(_ version: Version) { self = version == .v1 ? .v1 : .v2 }
    }

    let impUID: String
    let transactionID: String
    /// The sequence number of the attempt; V2's cursors use it.
    let sequence: Int
    /// The data given at creation.
    let draft: PaymentDraft
    let storeID: String
    let startedAt: Date

    /// The stage of the payment, without cancellations.
    private var stage = Status.ready
    private(set) var updatedAt: Date
    private(set) var paidAt: Date?
    private(set) var failedAt: Date?
    private(set) var failReason: String?
    private(set) var cancellations: [Cancellation] = []
    private(set) var disputes: [SandboxDispute] = []
    /// Whether partial cancellations keep a promotion; the first of them decides.
    var retainOption: String?
    private(set) var accountDue: Date
    private(set) var amount: Decimal

    init(_ draft: PaymentDraft, impUID: String, storeID: String, sequence: Int, now: Date) {
        self.impUID = impUID
        // For a V1 payment, V2 shows the imp_uid (PortOne V2 contract, identifiers).
        transactionID = draft.home == .v1 ? impUID : draft.transactionID ?? UUID().uuidString.lowercased()
        self.sequence = sequence
        self.draft = draft
        self.storeID = storeID
        startedAt = draft.startedAt ?? now
        updatedAt = now
        amount = draft.amount
        accountDue = draft.accountDue ?? startedAt.addingTimeInterval(3 * 86_400)
    }

    var merchantUID: String { draft.merchantUID }
    var currency: String { draft.currency }
    var payMethod: String { draft.payMethod }
    var isTest: Bool { draft.isTest }
    var pgTxID: String { "stdpay" + impUID.dropFirst(4) }
    var accountNumber: String { "9" + impUID.dropFirst(4) }

    var status: Status {
        guard stage == .paid, !executed.isEmpty else { return stage }
        return cancelledAmount < amount ? .partialCancelled : .cancelled
    }

    /// The completed cancellations, oldest first.
    var executed: [Cancellation] { cancellations.filter { $0.status == .succeeded } }

    var cancelledAmount: Decimal { executed.reduce(0) { $0 + $1.amount } }

    /// The amount that is neither cancelled nor pending.
    var balance: Decimal {
        wasApproved ? cancellations.filter { $0.status != .failed }.reduce(amount) { $0 - $1.amount } : 0
    }

    /// The part of the balance that has no VAT.
    var taxFreeBalance: Decimal {
        min(balance, cancellations.filter { $0.status != .failed }.reduce(draft.taxFree) { $0 - $1.taxFree })
    }

    /// The tax-free part of a cancellation of which nobody says it: taxable money goes back first.
    func taxFreePart(of amount: Decimal) -> Decimal { max(0, amount - (balance - taxFreeBalance)) }

    /// Whether a cancellation's taxable and tax-free parts are there to be cancelled.
    func fits(_ taxFree: Decimal, of amount: Decimal) -> Bool {
        taxFree <= min(amount, taxFreeBalance) && amount - taxFree <= balance - taxFreeBalance
    }

    /// Whether money was ever taken.
    var wasApproved: Bool { paidAt != nil }

    /// The time used by lists: when the payment got its *current* status (PortOne V1 contract, status list).
    var listedAt: Date {
        switch status {
        case .ready, .payPending, .accountIssued: startedAt
        case .paid: paidAt ?? startedAt
        case .partialCancelled, .cancelled: executed.last?.cancelledAt ?? startedAt
        case .failed: failedAt ?? startedAt
        }
    }

    // MARK: Steps

    mutating func wait(as stage: Status, now: Date) {
        self.stage = stage
        updatedAt = now
    }

    mutating func pay(at moment: Date, now: Date) {
        stage = .paid
        paidAt = moment
        failedAt = nil
        failReason = nil
        updatedAt = now
    }

    mutating func fail(_ reason: String?, now: Date) {
        stage = .failed
        failedAt = now
        failReason = reason
        updatedAt = now
    }

    mutating func cancel(_ cancellation: Cancellation) {
        cancellations.append(cancellation)
        updatedAt = cancellation.requestedAt
    }

    /// Ends the cancellation `id`.
    mutating func decideCancellation(_ id: String, as status: Cancellation.Status, now: Date) {
        guard let index = cancellations.firstIndex(where: { $0.id == id }) else { return }
        cancellations[index].decide(status, now: now)
        updatedAt = now
    }

    mutating func dispute(_ reason: String, now: Date) {
        disputes.append(SandboxDispute(reason: reason, now: now))
        updatedAt = now
    }

    /// Ends the open dispute.
    mutating func resolveDispute(now: Date) {
        guard let index = disputes.firstIndex(where: { $0.resolvedAt == nil }) else { return }
        disputes[index].resolve(now: now)
        updatedAt = now
    }

    /// Changes the amount and expiry of a waiting virtual account.
    mutating func changeAccount(amount: Decimal?, due: Date?, now: Date) {
        self.amount = amount ?? self.amount
        accountDue = due ?? accountDue
        updatedAt = now
    }
}

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
