// The codes that ledgerd answers, in its own order: route, token, scope, body, then the payment itself.
extension ProblemCode {
    // The request.

    /// There is no such thing.
    public static let notFound: ProblemCode = "not_found"
    /// The path does not take this method.
    public static let methodNotAllowed: ProblemCode = "method_not_allowed"
    /// The body must be JSON.
    public static let unsupportedMediaType: ProblemCode = "unsupported_media_type"
    /// The body is too large.
    public static let bodyTooLarge: ProblemCode = "body_too_large"
    /// The body is not valid JSON in UTF-8.
    public static let malformedJSON: ProblemCode = "malformed_json"
    /// The body has a member that is not known here.
    public static let unknownMember: ProblemCode = "unknown_member"
    /// The body has a member twice.
    public static let repeatedMember: ProblemCode = "repeated_member"
    /// A required member is missing or empty.
    public static let missingMember: ProblemCode = "missing_member"
    /// A member has the wrong type.
    public static let wrongType: ProblemCode = "wrong_type"
    /// The request did not arrive in time.
    public static let requestTimeout: ProblemCode = "request_timeout"
    /// A part of the request is not valid.
    public static let invalidRequest: ProblemCode = "invalid_request"

    // Who asks.

    /// An access token is required.
    public static let tokenMissing: ProblemCode = "token_missing"
    /// The access token is not valid.
    public static let tokenInvalid: ProblemCode = "token_invalid"
    /// The access token has expired.
    public static let tokenExpired: ProblemCode = "token_expired"
    /// The access token does not grant this.
    public static let forbidden: ProblemCode = "forbidden"
    /// The caller may not give so many coins.
    public static let grantLimitExceeded: ProblemCode = "grant_limit_exceeded"
    /// The app key is missing or wrong.
    public static let appKeyInvalid: ProblemCode = "app_key_invalid"
    /// Webhooks are not taken from this address.
    public static let forbiddenSource: ProblemCode = "forbidden_source"
    /// The webhook's signature does not verify.
    public static let signatureInvalid: ProblemCode = "signature_invalid"

    // What the gateway says of the payment. 422: we understood, and the payment is not what it should be.

    /// The gateway knows no such payment.
    public static let paymentNotFound: ProblemCode = "payment_not_found"
    /// The payment failed.
    public static let paymentFailed: ProblemCode = "payment_failed"
    /// The payment was cancelled.
    public static let paymentCancelled: ProblemCode = "payment_cancelled"
    /// A part of the payment was cancelled.
    public static let paymentPartiallyCancelled: ProblemCode = "payment_partially_cancelled"
    /// The payment is for another merchant_uid.
    public static let merchantUIDMismatch: ProblemCode = "merchant_uid_mismatch"
    /// The amount paid is not the product's price.
    public static let amountMismatch: ProblemCode = "amount_mismatch"
    /// The payment is in another currency than the product's price.
    public static let currencyMismatch: ProblemCode = "currency_mismatch"
    /// The payment went through the gateway's test channel.
    public static let testPayment: ProblemCode = "test_payment"
    /// No order was made for the payment.
    public static let orderNotFound: ProblemCode = "order_not_found"
    /// Another user made the order.
    public static let orderBelongsToAnotherUser: ProblemCode = "order_belongs_to_another_user"
    /// Another payment of the order was credited.
    public static let orderAlreadyCredited: ProblemCode = "order_already_credited"
    /// The order had expired when it was paid.
    public static let orderExpired: ProblemCode = "order_expired"
    /// The gateway that this is for is not configured here.
    public static let gatewayOff: ProblemCode = "gateway_off"

    // What an order is to be.

    /// No such product is on sale.
    public static let productNotFound: ProblemCode = "product_not_found"
    /// The payment gateway does not take the order.
    public static let orderRefusedByGateway: ProblemCode = "order_refused_by_gateway"

    // What the ledger already knows of it.

    /// The payment was credited to another user.
    public static let receiptBelongsToAnotherUser: ProblemCode = "receipt_belongs_to_another_user"
    /// Other users have presented the payment, too, and a person decides whose it is.
    public static let claimedBySeveral: ProblemCode = "claimed_by_several"
    /// Another payment of this merchant_uid was credited.
    public static let merchantUIDAlreadyCredited: ProblemCode = "merchant_uid_already_credited"
    /// The header Idempotency-Key is required.
    public static let idempotencyKeyMissing: ProblemCode = "idempotency_key_missing"
    /// The first request with this idempotency key still runs.
    public static let requestInProgress: ProblemCode = "request_in_progress"
    /// The idempotency key was used for another request.
    public static let idempotencyKeyReused: ProblemCode = "idempotency_key_reused"

    // What the wallet has.

    /// The user has fewer coins to spend than required.
    public static let insufficientCoins: ProblemCode = "insufficient_coins"
    /// The coins would have expired already.
    public static let alreadyExpired: ProblemCode = "already_expired"
    /// The hold sets nothing aside any more.
    public static let holdClosed: ProblemCode = "hold_closed"
    /// The hold's time is up.
    public static let holdExpired: ProblemCode = "hold_expired"
    /// The hold sets fewer coins aside.
    public static let exceedsHold: ProblemCode = "exceeds_hold"

    // What can be given back.

    /// No coins of the purchase can be given back.
    public static let nothingToRefund: ProblemCode = "nothing_to_refund"
    /// Fewer coins of the purchase can be given back.
    public static let exceedsRefundable: ProblemCode = "exceeds_refundable"
    /// The user owes coins, which have to be paid off first.
    public static let userInDebt: ProblemCode = "user_in_debt"
    /// Another refund of the purchase waits for the gateway.
    public static let refundInProgress: ProblemCode = "refund_in_progress"
    /// The payment gateway refused to give the money back.
    public static let refundRefused: ProblemCode = "refund_refused"

    // What the gateway paid out.

    /// The statement can't be read, or has rows that can't be booked.
    public static let statementInvalid: ProblemCode = "statement_invalid"
    /// The payout is booked from another statement.
    public static let alreadySettled: ProblemCode = "already_settled"
    /// Other statements book payouts of this payment and day, and not as this one says.
    public static let settledOtherwise: ProblemCode = "settled_otherwise"
    /// More would be paid out of the payment, or kept back of it, than was paid.
    public static let exceedsPayment: ProblemCode = "exceeds_payment"

    // What of the books is closed.

    /// A period can be closed when it is over.
    public static let periodNotOver: ProblemCode = "period_not_over"
    /// More than that is closed already, and stays closed.
    public static let periodAlreadyClosed: ProblemCode = "period_already_closed"

    // Not now.

    /// Too many receipts of this user wait for the gateway.
    public static let tooManyWaitingReceipts: ProblemCode = "too_many_waiting_receipts"
    /// Too many receipts of this user were unknown to the gateway.
    public static let tooManyRefusedReceipts: ProblemCode = "too_many_refused_receipts"
    /// Too many unsigned webhooks wait.
    public static let tooManyWaitingEvents: ProblemCode = "too_many_waiting_events"
    /// Too many requests of this user are at work at once.
    public static let tooManyAtOnce: ProblemCode = "too_many_at_once"
    /// Too many orders of this user are under way.
    public static let tooManyOrders: ProblemCode = "too_many_orders"
    /// As many exports run as may.
    public static let tooManyExports: ProblemCode = "too_many_exports"
    /// The payment gateway can't be reached.
    public static let gatewayUnavailable: ProblemCode = "gateway_unavailable"
    /// The ledger can't be reached.
    public static let databaseUnavailable: ProblemCode = "database_unavailable"
    /// Too many requests wait.
    public static let overloaded: ProblemCode = "overloaded"
    /// The service stops.
    public static let shuttingDown: ProblemCode = "shutting_down"
    /// Something went wrong on our side.
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
