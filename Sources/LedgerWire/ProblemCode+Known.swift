// The problem codes of ledgerd, in the order of its checks: route, token, scope, body, payment.
extension ProblemCode {
    // The request.

    /// Not found.
    public static let notFound: ProblemCode = "not_found"
    /// The path does not allow this method.
    public static let methodNotAllowed: ProblemCode = "method_not_allowed"
    /// The body must be JSON.
    public static let unsupportedMediaType: ProblemCode = "unsupported_media_type"
    /// The body is too large.
    public static let bodyTooLarge: ProblemCode = "body_too_large"
    /// The body is not valid JSON in UTF-8.
    public static let malformedJSON: ProblemCode = "malformed_json"
    /// The body has an unknown member.
    public static let unknownMember: ProblemCode = "unknown_member"
    /// The body has a repeated member.
    public static let repeatedMember: ProblemCode = "repeated_member"
    /// A required member is missing or empty.
    public static let missingMember: ProblemCode = "missing_member"
    /// A member has the wrong type.
    public static let wrongType: ProblemCode = "wrong_type"
    /// The request did not arrive in time.
    public static let requestTimeout: ProblemCode = "request_timeout"
    /// A part of the request is not valid.
    public static let invalidRequest: ProblemCode = "invalid_request"

    // The caller.

    /// An access token is required.
    public static let tokenMissing: ProblemCode = "token_missing"
    /// The access token is not valid.
    public static let tokenInvalid: ProblemCode = "token_invalid"
    /// The access token has expired.
    public static let tokenExpired: ProblemCode = "token_expired"
    /// The access token lacks the scope.
    public static let forbidden: ProblemCode = "forbidden"
    /// The grant exceeds a limit of the caller.
    public static let grantLimitExceeded: ProblemCode = "grant_limit_exceeded"
    /// The app key is missing or wrong.
    public static let appKeyInvalid: ProblemCode = "app_key_invalid"
    /// The service does not accept webhooks from this address.
    public static let forbiddenSource: ProblemCode = "forbidden_source"
    /// The webhook's signature is invalid.
    public static let signatureInvalid: ProblemCode = "signature_invalid"

    // The gateway's record of the payment. 422: the request is valid, but the payment is not the expected one.

    /// The gateway does not know the payment.
    public static let paymentNotFound: ProblemCode = "payment_not_found"
    /// The payment failed.
    public static let paymentFailed: ProblemCode = "payment_failed"
    /// The payment was cancelled.
    public static let paymentCancelled: ProblemCode = "payment_cancelled"
    /// A part of the payment was cancelled.
    public static let paymentPartiallyCancelled: ProblemCode = "payment_partially_cancelled"
    /// The payment has another merchant_uid.
    public static let merchantUIDMismatch: ProblemCode = "merchant_uid_mismatch"
    /// The amount paid is not the product's price.
    public static let amountMismatch: ProblemCode = "amount_mismatch"
    /// The payment is in another currency than the product's price.
    public static let currencyMismatch: ProblemCode = "currency_mismatch"
    /// The payment went through the gateway's test channel.
    public static let testPayment: ProblemCode = "test_payment"
    /// No order exists for the payment.
    public static let orderNotFound: ProblemCode = "order_not_found"
    /// Another user made the order.
    public static let orderBelongsToAnotherUser: ProblemCode = "order_belongs_to_another_user"
    /// Another payment of the order was credited.
    public static let orderAlreadyCredited: ProblemCode = "order_already_credited"
    /// The order had expired when it was paid.
    public static let orderExpired: ProblemCode = "order_expired"
    /// The gateway of this request is not configured.
    public static let gatewayOff: ProblemCode = "gateway_off"

    // Orders.

    /// The product is not on sale.
    public static let productNotFound: ProblemCode = "product_not_found"
    /// The payment gateway refused the order.
    public static let orderRefusedByGateway: ProblemCode = "order_refused_by_gateway"

    // What the ledger already knows.

    /// The payment was credited to another user.
    public static let receiptBelongsToAnotherUser: ProblemCode = "receipt_belongs_to_another_user"
    /// Several users have presented the payment; a person decides.
    public static let claimedBySeveral: ProblemCode = "claimed_by_several"
    /// Another payment of this merchant_uid was credited.
    public static let merchantUIDAlreadyCredited: ProblemCode = "merchant_uid_already_credited"
    /// The header Idempotency-Key is required.
    public static let idempotencyKeyMissing: ProblemCode = "idempotency_key_missing"
    /// The first request with this idempotency key is still running.
    public static let requestInProgress: ProblemCode = "request_in_progress"
    /// The idempotency key was used for another request.
    public static let idempotencyKeyReused: ProblemCode = "idempotency_key_reused"

    // The wallet.

    /// The user has fewer coins to spend than required.
    public static let insufficientCoins: ProblemCode = "insufficient_coins"
    /// The coins would already be expired.
    public static let alreadyExpired: ProblemCode = "already_expired"
    /// The hold is closed.
    public static let holdClosed: ProblemCode = "hold_closed"
    /// The hold has expired.
    public static let holdExpired: ProblemCode = "hold_expired"
    /// The hold has fewer coins.
    public static let exceedsHold: ProblemCode = "exceeds_hold"

    // Refunds.

    /// No coins of the purchase are refundable.
    public static let nothingToRefund: ProblemCode = "nothing_to_refund"
    /// Fewer coins of the purchase are refundable.
    public static let exceedsRefundable: ProblemCode = "exceeds_refundable"
    /// The user owes coins, which must be repaid first.
    public static let userInDebt: ProblemCode = "user_in_debt"
    /// Another refund of the purchase is pending.
    public static let refundInProgress: ProblemCode = "refund_in_progress"
    /// The payment gateway refused the refund.
    public static let refundRefused: ProblemCode = "refund_refused"

    // Settlements.

    /// The settlement file can't be read, or has lines that can't be booked.
    public static let statementInvalid: ProblemCode = "statement_invalid"
    /// Another settlement file booked the same line.
    public static let alreadySettled: ProblemCode = "already_settled"
    /// Other settlement files booked different lines for this payment and day.
    public static let settledOtherwise: ProblemCode = "settled_otherwise"
    /// The lines would settle or keep back more than was paid.
    public static let exceedsPayment: ProblemCode = "exceeds_payment"

    // Closed periods.

    /// The period is not over yet.
    public static let periodNotOver: ProblemCode = "period_not_over"
    /// A later period is already closed.
    public static let periodAlreadyClosed: ProblemCode = "period_already_closed"

    // Temporarily unavailable.

    /// Too many receipts of this user are waiting for the gateway.
    public static let tooManyWaitingReceipts: ProblemCode = "too_many_waiting_receipts"
    /// Too many receipts of this user were unknown to the gateway.
    public static let tooManyRefusedReceipts: ProblemCode = "too_many_refused_receipts"
    /// Too many unsigned webhooks are waiting.
    public static let tooManyWaitingEvents: ProblemCode = "too_many_waiting_events"
    /// Too many requests of this user are in progress.
    public static let tooManyAtOnce: ProblemCode = "too_many_at_once"
    /// Too many orders of this user are open.
    public static let tooManyOrders: ProblemCode = "too_many_orders"
    /// Too many exports are running.
    public static let tooManyExports: ProblemCode = "too_many_exports"
    /// The payment gateway is unavailable.
    public static let gatewayUnavailable: ProblemCode = "gateway_unavailable"
    /// The ledger is unavailable.
    public static let databaseUnavailable: ProblemCode = "database_unavailable"
    /// Too many requests are waiting.
    public static let overloaded: ProblemCode = "overloaded"
    /// The service is shutting down.
    public static let shuttingDown: ProblemCode = "shutting_down"
    /// Internal error.
    public static let `internal`: ProblemCode = "internal"
}

extension ProblemCode {
    /// Every code above.
    public static let known: Set<ProblemCode> = [
        notFound, methodNotAllowed, unsupportedMediaType, bodyTooLarge, malformedJSON, unknownMember, repeatedMember,
        missingMember, wrongType, requestTimeout, invalidRequest, tokenMissing, tokenInvalid, tokenExpired, forbidden,
        grantLimitExceeded, appKeyInvalid, forbiddenSource, signatureInvalid, orderNotFound, orderBelongsToAnotherUser,
        orderAlreadyCredited, orderExpired,
        gatewayOff, productNotFound, orderRefusedByGateway, paymentNotFound, paymentFailed, paymentCancelled,
        paymentPartiallyCancelled, merchantUIDMismatch, amountMismatch, currencyMismatch, testPayment,
        receiptBelongsToAnotherUser, claimedBySeveral, merchantUIDAlreadyCredited,
        idempotencyKeyMissing, requestInProgress,
        idempotencyKeyReused, insufficientCoins, alreadyExpired, holdClosed, holdExpired, exceedsHold, nothingToRefund,
        exceedsRefundable, userInDebt, refundInProgress, refundRefused, statementInvalid, alreadySettled,
        settledOtherwise,
        exceedsPayment, periodNotOver, periodAlreadyClosed, tooManyWaitingReceipts,
        tooManyRefusedReceipts, tooManyWaitingEvents, tooManyAtOnce,
        tooManyOrders, tooManyExports, gatewayUnavailable, databaseUnavailable, overloaded, shuttingDown, `internal`,
    ]
}
