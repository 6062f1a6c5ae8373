import FoundationEssentials
import SandboxSupport

/// The state of the sandbox gateway.
///
/// It is in memory, and in the data file if there is one. Above the limit, the oldest payments are dropped.
actor SandboxState {
    let stores: Stores
    private let now: @Sendable () -> Date
    private let capacity: Int
    private let file: StateFile?
    private var mint = IdentifierMint()
    var v1Tokens = TokenRegister()
    var v2Tokens = V2TokenRegister()
    private(set) var payments: [String: SandboxPayment] = [:]
    private var attempts: [String: [String]] = [:]
    /// The payment ids in order of creation.
    private var sequence: [String] = []
    private var made = 0
    /// The number of changes of all payments; computed lists are valid while it stays the same.
    private(set) var changes = 0
    /// The last list, which is requested page by page.
    var lastList = LastList<SandboxPayment>()
    var lastEvents = LastList<(event: PaymentEvents.Event, payment: SandboxPayment)>()
    private(set) var events: PaymentEvents
    private(set) var prepared: [String: PreparedAmount] = [:]

    init(
        stores: Stores, capacity: Int = 100_000, saved: SavedState = SavedState(), file: StateFile? = nil,
        now: @escaping @Sendable () -> Date
    ) {
        self.stores = stores
        self.capacity = max(1, capacity)
        self.file = file
        self.now = now
        for payment in saved.payments.suffix(max(1, capacity)) {
            payments[payment.impUID] = payment
            attempts[payment.merchantUID, default: []].append(payment.impUID)
            sequence.append(payment.impUID)
            made = payment.sequence
        }
        events = PaymentEvents(saved.events)
        prepared = saved.prepared
    }

    var currentTime: Date { now() }

    // MARK: Look-ups

    func payments(merchantUID: String) -> [SandboxPayment] {
        attempts[merchantUID, default: []].compactMap { payments[$0] }
    }

    /// Every payment, the oldest first.
    var inOrder: [SandboxPayment] { sequence.compactMap { payments[$0] } }

    /// The payment with this `imp_uid`, transaction id or order id.
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

    /// The current attempt of an order: the approved one, otherwise the latest.
    static func current(of attempts: [SandboxPayment]) -> SandboxPayment? {
        attempts.last(where: \.wasApproved) ?? attempts.last
    }

    // MARK: Changes

    /// Simulates the payment window.
    ///
    /// - Throws: ``ControlError`` if the real window would not open.
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
    /// - Throws: ``ControlError`` if the order is paid, or another amount is registered for it.
    func checkWindow(_ draft: PaymentDraft) throws(ControlError) {
        if payments(merchantUID: draft.merchantUID).contains(where: \.wasApproved) {
            throw ControlError(.conflict, "merchant_uid", "already has an approved payment")
        }
        if let prepared = prepared[draft.merchantUID], !prepared.allows(draft.amount, draft.currency) {
            throw ControlError(.conflict, "amount", "isn't the amount registered for this merchant_uid")
        }
    }

    /// Stores a payment and computes its steps.
    func keep(_ payment: SandboxPayment) -> PaymentChangeResult {
        let steps = payment.steps(since: payments[payment.impUID])
        payments[payment.impUID] = payment
        var records = [StateRecord.payment(payment)]
        for step in steps {
            if let event = events.record(step, of: payment, at: now()) { records.append(.event(event)) }
        }
        file?.append(records)
        changes += 1
        return PaymentChangeResult(payment: payment, steps: steps)
    }

    /// Registers an amount for the payment window.
    func register(_ amount: PreparedAmount) {
        // Without payment, registered amounts are never dropped one by one.
        if prepared.count >= capacity { prepared.removeAll() }
        prepared[amount.merchantUID] = amount
        file?.append([.prepared(amount)])
    }

    /// Drops payments in bulk, because dropping one moves all others.
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
    /// Sets the requested initial status.
    fileprivate mutating func begin(_ draft: PaymentDraft, now: Date) {
        switch draft.status {
        case .ready, .payPending, .accountIssued: wait(as: draft.status, now: now)
        case .failed: fail(draft.failReason, now: now)
        case .paid, .partialCancelled, .cancelled: pay(at: draft.paidAt ?? startedAt, now: now)
        }
        if draft.status == .cancelled || draft.status == .partialCancelled {
            let amount = draft.cancelAmount ?? balance
            cancel(
                Cancellation(
                    amount: amount, taxFree: taxFreePart(of: amount), reason: "관리자 취소", trigger: .console,
                    now: draft.cancelledAt ?? now))
        }
    }
}

/// A computed list, cached while no payment changes, for the next page.
struct LastList<Element: Sendable>: Sendable {
    private var key: String?
    private var changes = 0
    private var elements: [Element] = []

    /// The list with this name at this number of changes, from the cache if possible.
    mutating func list(_ key: String, asOf changes: Int, _ workOut: () -> [Element]) -> [Element] {
        if self.key != key || self.changes != changes {
            elements = workOut()
            self.key = key
            self.changes = changes
        }
        return elements
    }
}

/// Creates `imp_uid`s that don't repeat after a restart: `imp_` and 12 digits that count tenths of milliseconds.
///
/// The digits repeat after three years. It uses the system clock even if tests replace the clock, so that two sandboxes
/// don't create the same id.
struct IdentifierMint: Sendable {
    private var last: UInt64 = 0

    mutating func impUID() -> String {
        let ticks = UInt64(Date.now.timeIntervalSince1970 * 10_000)
        last = max(last + 1, ticks)
        let digits = String(last % 1_000_000_000_000)
        return "imp_" + String(repeating: "0", count: 12 - digits.count) + digits
    }
}
