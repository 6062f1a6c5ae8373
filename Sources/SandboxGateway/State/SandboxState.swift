import FoundationEssentials

/// Everything the stand-in gateway remembers. In memory: it plays somebody else's system, not ours.
actor SandboxState {
    private let now: @Sendable () -> Date
    private var mint = IdentifierMint()
    private var tokens = TokenRegister()
    private var payments: [String: SandboxPayment] = [:]
    private var attempts: [String: [String]] = [:]
    private var prepared: [String: PreparedAmount] = [:]

    init(now: @escaping @Sendable () -> Date) {
        self.now = now
    }

    private var seconds: Int { Int(now().timeIntervalSince1970) }

    // MARK: Tokens

    /// Issues the current token; `now` is the gateway's own time, by which `expiresAt` is to be read.
    func issueToken() -> (token: String, now: Int, expiresAt: Int) {
        tokens.issue(now: seconds)
        return (tokens.token, seconds, tokens.expiresAt)
    }

    func isValid(token: String) -> Bool { tokens.isValid(token, now: seconds) }

    func revokeToken() { tokens.revoke() }

    // MARK: Look-ups

    func payment(_ impUID: String) -> SandboxPayment? { payments[impUID] }

    func payments(merchantUID: String) -> [SandboxPayment] {
        attempts[merchantUID, default: []].compactMap { payments[$0] }
    }

    func payments(listedIn window: ClosedRange<Date>, status: SandboxPayment.Status?) -> [SandboxPayment] {
        payments.values.filter { payment in
            (status == nil || payment.status == status) && window.contains(payment.listedAt.wholeSeconds)
        }
    }

    var currentTime: Date { now() }

    // MARK: Payments

    /// Plays the payment window.
    ///
    /// - Throws: ``ControlError`` when the real window would have refused to open.
    func pay(_ draft: PaymentDraft) throws(ControlError) -> SandboxPayment {
        if payments(merchantUID: draft.merchantUID).contains(where: \.wasApproved) {
            throw ControlError(.conflict, "merchant_uid", "already has an approved payment")
        }
        if let prepared = prepared[draft.merchantUID], !prepared.allows(draft.amount, draft.currency) {
            throw ControlError(.conflict, "amount", "isn't the amount registered for this merchant_uid")
        }
        let impUID = draft.impUID ?? mint.impUID()
        guard payments[impUID] == nil else { throw ControlError(.conflict, "imp_uid", "is already taken") }
        var payment = SandboxPayment(draft, impUID: impUID, now: now())
        switch draft.status {
        case .ready: break
        case .failed: payment.fail(draft.failReason, now: now())
        case .paid, .cancelled: payment.pay(at: draft.paidAt ?? payment.startedAt, now: now())
        }
        if draft.status == .cancelled {
            payment.cancel(cancellation(of: draft.cancelAmount ?? payment.balance, reason: nil))
        }
        payments[impUID] = payment
        attempts[draft.merchantUID, default: []].append(impUID)
        return payment
    }

    /// Changes a payment as the gateway's console would; the same status again changes nothing.
    ///
    /// - Throws: ``ControlError`` for a step that the gateway never takes.
    func change(_ impUID: String, by change: PaymentChange) throws(ControlError) -> SandboxPayment {
        guard var payment = payments[impUID] else { throw ControlError(.notFound, "imp_uid", "isn't known") }
        switch (payment.status, change.status) {
        case (.ready, .paid), (.failed, .paid): payment.pay(at: now(), now: now())
        case (.ready, .failed): payment.fail(change.failReason, now: now())
        case (.paid, .cancelled), (.cancelled, .cancelled):
            let amount = change.cancelAmount ?? payment.balance
            guard amount <= payment.balance else {
                throw ControlError(.badRequest, "cancel_amount", "is more than what is left")
            }
            if amount > 0 { payment.cancel(cancellation(of: amount, reason: change.reason)) }
        case (let old, let new) where old == new: break
        case (let old, let new):
            throw ControlError(.badRequest, "status", "can't become \(new.rawValue) from \(old.rawValue)")
        }
        payments[impUID] = payment
        return payment
    }

    private func cancellation(of amount: Decimal, reason: String?) -> SandboxPayment.Cancellation {
        SandboxPayment.Cancellation(
            id: UUID().uuidString.lowercased(), amount: amount, at: now(), reason: reason ?? "관리자 취소")
    }

    /// Cancels through the API; the first rule that is broken refuses (PortOne V1 contract, cancel).
    func cancel(_ request: CancelRequest) throws(V1Refusal) -> SandboxPayment {
        guard var payment = target(of: request), payment.wasApproved else { throw .nothingToCancel }
        guard payment.balance > 0 else { throw .alreadyCancelled }
        if let checksum = request.checksum, checksum != payment.balance { throw .checksumMismatch }
        let amount = request.amount == 0 ? payment.balance : request.amount
        guard amount <= payment.balance else { throw .amountOverBalance }
        payment.cancel(cancellation(of: amount, reason: request.reason ?? "취소요청api"))
        payments[payment.impUID] = payment
        return payment
    }

    /// `imp_uid` wins over `merchant_uid`, even when it is unknown.
    private func target(of request: CancelRequest) -> SandboxPayment? {
        if let impUID = request.impUID { return payments[impUID] }
        let attempts = payments(merchantUID: request.merchantUID ?? "")
        return attempts.last(where: \.wasApproved) ?? attempts.last
    }

    // MARK: Amounts registered beforehand

    func prepared(_ merchantUID: String) -> PreparedAmount? { prepared[merchantUID] }

    /// Registers an amount; another one than before is refused, the same one isn't.
    func prepare(_ amount: PreparedAmount) throws(V1Refusal) {
        if let known = prepared[amount.merchantUID], known != amount { throw .alreadyPrepared }
        prepared[amount.merchantUID] = amount
    }

    /// Replaces a registered amount.
    ///
    /// - Returns: false when none is registered.
    func replacePrepared(_ amount: PreparedAmount) -> Bool {
        guard prepared[amount.merchantUID] != nil else { return false }
        prepared[amount.merchantUID] = amount
        return true
    }
}

extension Date {
    /// The moment as the wire carries it.
    var wholeSeconds: Date { Date(timeIntervalSince1970: timeIntervalSince1970.rounded(.down)) }
}
