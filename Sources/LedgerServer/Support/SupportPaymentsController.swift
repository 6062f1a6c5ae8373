import Hummingbird
import Ledger
import LedgerWire
import PGVerifier

/// Finds a customer's purchases and receipts, for customer support, who often knows only a name of the payment.
struct SupportPaymentsController: Sendable {
    let ledger: Ledger

    /// `GET /v1/purchases?imp_uid=…`, or `?merchant_uid=…`.
    func purchases(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let name = try PaymentName(try request.query("imp_uid", "merchant_uid"))
        let found = try await ledger.purchases.list(named: name)
        let bodies = found.map { PurchaseBody($0.purchase, refunds: $0.refunds, namingUser: true) }
        return Response(json: ListBody(name: PurchaseBody.listName, items: bodies, nextCursor: nil))
    }

    /// `GET /v1/purchases/{id}`.
    func purchase(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        guard let purchase = try await ledger.purchases.find(try context.pathID()) else {
            throw Problem(.notFound, "the purchase does not exist")
        }
        let refunds = try await ledger.refunds.list(ofPurchase: purchase.id)
        return Response(json: PurchaseBody(purchase, refunds: refunds, namingUser: true))
    }

    /// `GET /v1/users/{user}/receipts`, the latest first; `?status=` filters by status.
    func receipts(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let page = try PageRequest(request, position: After<Int64>.self, filters: "status")
        let found = try await ledger.retries.list(
            of: try context.requireUserInPath(), try page.query.choice("status"), after: page.after,
            limit: page.limit)
        return try page.answer(
            StoredReceiptBody.listName, found.elements.map { StoredReceiptBody($0) }, next: found.next)
    }

    /// `GET /v1/receipts`: the receipts that wait, of all users, oldest first; `?reason=` filters by why.
    func waitingReceipts(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let page = try PageRequest(request, position: After<Int64>.self, filters: "reason")
        let found = try await ledger.retries.listWaiting(
            because: page.query["reason"], after: page.after, limit: page.limit)
        return try page.answer(
            StoredReceiptBody.listName, found.elements.map { StoredReceiptBody($0, namingUser: true) }, next: found.next
        )
    }

    /// `GET /v1/refunds`: the pending refunds of all users, oldest first.
    func waitingRefunds(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let page = try PageRequest(request, position: After<Int64>.self)
        let found = try await ledger.refunds.listWaiting(after: page.after, limit: page.limit)
        return try page.answer(
            WaitingRefundBody.listName, found.elements.map(WaitingRefundBody.init), next: found.next)
    }
}

extension WaitingRefundBody {
    init(_ waiting: WaitingRefund) {
        self.init(
            refund: RefundBody(waiting.refund), user: waiting.refund.user.rawValue, waitingFor: waiting.reason,
            attempts: waiting.attempts, nextAttemptAt: waiting.nextAttemptAt)
    }
}

extension PaymentName {
    /// The only name in the query.
    fileprivate init(_ query: Query) throws(Problem) {
        let impUID = try query.parsed("imp_uid", "1 to 32 letters, digits, '_' and '-'") { try? ImpUID($0).text }
        let merchantUID = try query.parsed("merchant_uid", "1 to 64 printable characters", Self.merchantUID)
        switch (impUID, merchantUID) {
        case (let impUID?, nil): self = .paymentID(impUID)
        case (nil, let merchantUID?): self = .merchantUID(merchantUID)
        case (nil, nil): throw .invalid(member: "imp_uid", "imp_uid or merchant_uid is required")
        case (_?, _?): throw .invalid(member: "merchant_uid", "give imp_uid or merchant_uid, not both")
        }
    }

    /// A merchant's id as V1 or as V2 allows it.
    private static func merchantUID(_ text: String) -> String? {
        (try? MerchantUID(text).text) ?? (try? PaymentID(text).text)
    }
}

extension StoredReceiptBody {
    init(_ receipt: StoredReceipt, namingUser: Bool = false) {
        self.init(
            id: receipt.id, user: namingUser ? receipt.user.rawValue : nil, status: receipt.status.rawValue,
            reason: receipt.reason, gateway: receipt.payment.gateway,
            impUID: receipt.payment.paymentID, merchantUID: receipt.payment.merchantUID,
            paymentID: receipt.payment.merchantPaymentID, attempts: receipt.attempts, claimedAt: receipt.claimedAt,
            createdAt: receipt.createdAt, nextAttemptAt: receipt.nextAttemptAt, decidedAt: receipt.decidedAt)
    }
}
