import FoundationEssentials

extension SandboxState {
    // MARK: Tokens

    func issueV2Tokens() -> (access: String, refresh: String) { v2Tokens.issue(now: currentTime) }

    func isValid(v2AccessToken token: String) -> Bool { v2Tokens.isValid(access: token, now: currentTime) }

    /// A new token pair for a refresh token; nil if it isn't the latest.
    func refreshV2Tokens(_ token: String) -> (access: String, refresh: String)? {
        v2Tokens.isValid(refresh: token, now: currentTime) ? issueV2Tokens() : nil
    }

    // MARK: Look-ups

    /// The store of a call (PortOne V2 contract, store selection).
    func store(_ asked: String?) throws(V2Refusal) -> String {
        guard stores.mayUse(asked ?? stores.main) else { throw .forbidden }
        return asked ?? stores.main
    }

    /// The current attempt of a payment of the store; payments of other stores are not found.
    func payment(id: String, store asked: String?) throws(V2Refusal) -> SandboxPayment {
        let store = try store(asked)
        guard let payment = Self.current(of: payments(merchantUID: id).filter({ $0.storeID == store })) else {
            throw .paymentNotFound
        }
        return payment
    }

    /// Every attempt at a payment, the latest first.
    func attempts(id: String, store asked: String?) throws(V2Refusal) -> [SandboxPayment] {
        _ = try payment(id: id, store: asked)
        let store = try store(asked)
        return payments(merchantUID: id).filter { $0.storeID == store }.reversed()
    }

    /// The payments of the allowed stores, each with its current attempt, oldest first.
    func v2Payments(store asked: String?) throws(V2Refusal) -> [SandboxPayment] {
        if let asked { _ = try store(asked) }
        return lastList.list("V2 \(asked ?? "")", asOf: changes) {
            inOrder.filter { payment in
                let isMine = asked.map { $0 == payment.storeID } ?? stores.mayUse(payment.storeID)
                guard isMine else { return false }
                return Self.current(of: payments(merchantUID: payment.merchantUID))?.impUID == payment.impUID
            }
        }
    }

    /// The events of the allowed stores' payments, in order.
    func v2Events(store asked: String?) throws(V2Refusal) -> [(event: PaymentEvents.Event, payment: SandboxPayment)] {
        if let asked { _ = try store(asked) }
        return lastEvents.list(asked ?? "", asOf: changes) {
            let payments = try? v2Payments(store: asked)
            let known = Dictionary((payments ?? []).map { ($0.impUID, $0) }, uniquingKeysWith: { $1 })
            return events.list.compactMap { event in known[event.impUID].map { (event, $0) } }
        }
    }

    // MARK: Acts

    func cancel(
        _ request: V2Cancel, id: String, store: String?
    ) throws(V2Refusal) -> (PaymentChangeResult, Cancellation) {
        var payment = try payment(id: id, store: store)
        let cancellation = try request.cancellation(of: payment, now: currentTime)
        payment.cancel(cancellation)
        payment.retainOption = request.decidedRetainOption
        return (keep(payment), cancellation)
    }

    /// Withdraws a pending cancellation.
    func stopCancellation(_ cancellationID: String, id: String, store: String?) throws(V2Refusal) -> Date {
        var payment = try payment(id: id, store: store)
        guard let cancellation = payment.cancellations.first(where: { $0.id == cancellationID }) else {
            throw .cancellationNotFound
        }
        guard cancellation.status == .requested else { throw .cancellationNotPending }
        payment.decideCancellation(cancellationID, as: .failed, now: currentTime)
        _ = keep(payment)
        return currentTime
    }

    /// Registers an amount for the payment window; a second registration replaces the first.
    func preRegister(_ amount: PreparedAmount, store asked: String?) throws(V2Refusal) {
        let store = try store(asked)
        let attempts = payments(merchantUID: amount.merchantUID).filter { $0.storeID == store }
        if attempts.contains(where: \.wasApproved) { throw .alreadyPaid }
        register(amount)
    }

    func closeAccount(id: String, store: String?) throws(V2Refusal) -> (PaymentChangeResult, Date) {
        var payment = try payment(id: id, store: store)
        guard payment.status == .accountIssued else { throw .notWaitingForDeposit }
        payment.fail("가상계좌 말소", now: currentTime)
        return (keep(payment), currentTime)
    }

    /// Confirms a payment that waits for the merchant.
    func confirm(_ request: V2Confirm, id: String, store: String?) throws(V2Refusal) -> PaymentChangeResult {
        var payment = try payment(id: id, store: store)
        if payment.wasApproved { throw .alreadyPaid }
        guard let token = payment.draft.paymentToken, token == request.paymentToken else {
            throw .invalidPaymentToken
        }
        guard payment.status == .ready, request.fits(payment) else { throw .informationMismatch }
        payment.pay(at: currentTime, now: currentTime)
        return keep(payment)
    }
}

/// The request of `POST /payments/{paymentId}/confirm`; all members but the token are checks.
struct V2Confirm: Sendable {
    let paymentToken: String
    let skipsWebhook: Bool
    private let transactionID: String?
    private let currency: String?
    private let totalAmount: Int?
    private let taxFreeAmount: Int?
    private let isTest: Bool?

    init(_ members: V2Members) throws(V2Refusal) {
        guard let token = try members.text("paymentToken") else { throw .invalid("paymentToken is missing") }
        paymentToken = token
        skipsWebhook = try members.flag("skipWebhook") ?? false
        transactionID = try members.text("txId")
        currency = try members.text("currency")
        totalAmount = try members.integer("totalAmount")
        taxFreeAmount = try members.integer("taxFreeAmount")
        isTest = try members.flag("isTest")
    }

    func fits(_ payment: SandboxPayment) -> Bool {
        transactionID ?? payment.transactionID == payment.transactionID
            && currency ?? payment.currency == payment.currency
            && totalAmount.map { $0 == payment.amount.minorUnits(of: payment.currency) } ?? true
            && taxFreeAmount.map { $0 == payment.draft.taxFree.minorUnits(of: payment.currency) } ?? true
            && isTest ?? payment.isTest == payment.isTest
    }
}
