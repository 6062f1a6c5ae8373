import FoundationEssentials

/// Everything the stand-in gateway remembers.
///
/// In memory: it plays somebody else's system, not ours. When there are too many payments, the oldest are forgotten.
actor SandboxState {
    let stores: Stores
    private let now: @Sendable () -> Date
    private let capacity: Int
    private var mint = IdentifierMint()
    var v1Tokens = TokenRegister()
    var v2Tokens = V2TokenRegister()
    private(set) var payments: [String: SandboxPayment] = [:]
    private var attempts: [String: [String]] = [:]
    /// The payments' identifiers in the order in which they were made.
    private var sequence: [String] = []
    private var made = 0
    /// How often any payment was made or changed: what was worked out of all of them holds while it stays the same.
    private(set) var changes = 0
    /// The lists that were asked for last: they are asked for page by page.
    var lastList = LastList<SandboxPayment>()
    var lastEvents = LastList<(event: PaymentEvents.Event, payment: SandboxPayment)>()
    private(set) var events = PaymentEvents()
    private(set) var prepared: [String: PreparedAmount] = [:]

    init(stores: Stores, capacity: Int = 100_000, now: @escaping @Sendable () -> Date) {
        self.stores = stores
        self.capacity = max(1, capacity)
        self.now = now
    }

    var currentTime: Date { now() }

    // MARK: Look-ups

    func payments(merchantUID: String) -> [SandboxPayment] {
        attempts[merchantUID, default: []].compactMap { payments[$0] }
    }

    /// Every payment, the oldest first.
    var inOrder: [SandboxPayment] { sequence.compactMap { payments[$0] } }

    /// The payment that a test names by its `imp_uid`, its transaction id or its order.
    ///
    /// - Throws: ``ControlError`` when there is none.
    func payment(named name: String) throws(ControlError) -> SandboxPayment {
        if let payment = payments[name] { return payment }
        if let payment = Self.current(of: payments(merchantUID: name)) { return payment }
        guard let payment = payments.values.first(where: { $0.transactionID == name }) else {
            throw ControlError(.notFound, "imp_uid", "isn't known")
        }
        return payment
    }

    /// The attempt that stands for an order: the approved one, or else the latest.
    static func current(of attempts: [SandboxPayment]) -> SandboxPayment? {
        attempts.last(where: \.wasApproved) ?? attempts.last
    }

    // MARK: Changes

    /// Plays the payment window.
    ///
    /// - Throws: ``ControlError`` when the real window would have refused to open.
    func pay(_ draft: PaymentDraft) throws(ControlError) -> PaymentChangeResult {
        try checkWindow(draft)
        let impUID = draft.impUID ?? mint.impUID()
        guard payments[impUID] == nil else { throw ControlError(.conflict, "imp_uid", "is already taken") }
        made += 1
        var payment = SandboxPayment(
            draft, impUID: impUID, storeID: draft.storeID ?? stores.main, sequence: made, now: now())
        payment.begin(draft, now: now())
        sequence.append(impUID)
        attempts[draft.merchantUID, default: []].append(impUID)
        forgetOldest()
        return keep(payment)
    }

    /// Whether the real window would open.
    ///
    /// - Throws: ``ControlError`` when the order is paid, or another amount is registered for it.
    func checkWindow(_ draft: PaymentDraft) throws(ControlError) {
        if payments(merchantUID: draft.merchantUID).contains(where: \.wasApproved) {
            throw ControlError(.conflict, "merchant_uid", "already has an approved payment")
        }
        if let prepared = prepared[draft.merchantUID], !prepared.allows(draft.amount, draft.currency) {
            throw ControlError(.conflict, "amount", "isn't the amount registered for this merchant_uid")
        }
    }

    /// Remembers what became of a payment, and works out what happened.
    func keep(_ payment: SandboxPayment) -> PaymentChangeResult {
        let steps = payment.steps(since: payments[payment.impUID])
        payments[payment.impUID] = payment
        for step in steps { events.record(step, of: payment, at: now()) }
        changes += 1
        return PaymentChangeResult(payment: payment, steps: steps)
    }

    /// Registers what the payment window may be opened with.
    func register(_ amount: PreparedAmount) {
        // Far more than there are payments: they are leavings.
        if prepared.count >= capacity { prepared.removeAll() }
        prepared[amount.merchantUID] = amount
    }

    /// In bulk: one at a time would move all others each time.
    private func forgetOldest() {
        guard sequence.count >= capacity + max(1, capacity / 8) else { return }
        for impUID in sequence.prefix(sequence.count - capacity) {
            guard let payment = payments.removeValue(forKey: impUID) else { continue }
            attempts[payment.merchantUID]?.removeAll { $0 == impUID }
            if attempts[payment.merchantUID]?.isEmpty ?? false { attempts[payment.merchantUID] = nil }
        }
        sequence.removeFirst(sequence.count - capacity)
    }
}

extension SandboxPayment {
    /// Takes the state that its maker wants it in.
    fileprivate mutating func begin(_ draft: PaymentDraft, now: Date) {
        switch draft.status {
        case .ready, .payPending, .accountIssued: wait(as: draft.status, now: now)
        case .failed: fail(draft.failReason, now: now)
        case .paid, .partialCancelled, .cancelled: pay(at: draft.paidAt ?? startedAt, now: now)
        }
        if draft.status == .cancelled || draft.status == .partialCancelled {
            cancel(
                Cancellation(
                    amount: draft.cancelAmount ?? balance, reason: "관리자 취소", trigger: .console,
                    now: draft.cancelledAt ?? now))
        }
    }
}

extension Date {
    /// The moment as the wire carries it.
    var wholeSeconds: Date { Date(timeIntervalSince1970: timeIntervalSince1970.rounded(.down)) }
}

/// A list that was worked out, kept while no payment changes: the next page of it is asked for next.
struct LastList<Element: Sendable>: Sendable {
    private var key: String?
    private var changes = 0
    private var elements: [Element] = []

    /// The list with this name as of so many changes, worked out unless it is known.
    mutating func list(_ key: String, asOf changes: Int, _ workOut: () -> [Element]) -> [Element] {
        if self.key != key || self.changes != changes {
            elements = workOut()
            self.key = key
            self.changes = changes
        }
        return elements
    }
}

/// Makes `imp_uid`s that don't come back after a restart: `imp_` and 12 digits that count tenths of milliseconds.
///
/// The digits repeat after three years. The system clock is used even where tests turn another: two sandboxes must not
/// make the same identifier because their clocks were both stopped.
struct IdentifierMint: Sendable {
    private var last: UInt64 = 0

    mutating func impUID() -> String {
        let ticks = UInt64(Date.now.timeIntervalSince1970 * 10_000)
        last = max(last + 1, ticks)
        let digits = String(last % 1_000_000_000_000)
        return "imp_" + String(repeating: "0", count: 12 - digits.count) + digits
    }
}
