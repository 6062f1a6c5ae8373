import Hummingbird
import LedgerWire

extension Problem {
    /// A stable name for what went wrong, with what always goes with it.
    ///
    /// A struct and not an enum, so that a code may be added without breaking a `switch`, and each stands as one line
    /// of the table.
    struct Code: RawRepresentable, Hashable, Sendable {
        /// The name clients see, `snake_case`.
        ///
        /// Once released it keeps its meaning.
        let rawValue: String
        /// The HTTP status it is answered with.
        let status: HTTPResponse.Status
        /// A short sentence that is the same every time.
        let title: String
        /// Whether the very same request may succeed later.
        let isRetryable: Bool
        /// How long to wait before that, in seconds.
        let retryAfterSeconds: Int?

        init(
            _ name: ProblemCode, _ status: HTTPResponse.Status, _ title: String, isRetryable: Bool = false,
            retryAfterSeconds: Int? = nil
        ) {
            rawValue = name.rawValue
            self.status = status
            self.title = title
            self.isRetryable = isRetryable || retryAfterSeconds != nil
            self.retryAfterSeconds = retryAfterSeconds
        }

        /// The code of that name, if the table has it.
        init?(rawValue: String) {
            guard let code = Self.all.first(where: { $0.rawValue == rawValue }) else { return nil }
            self = code
        }

        static func == (one: Self, other: Self) -> Bool { one.rawValue == other.rawValue }
        func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
    }
}

// The table. A request is refused for the first that applies: route, token, scope, body, then the payment itself.
extension Problem.Code {
    // The request.
    static let notFound = Self(.notFound, .notFound, "There is no such thing.")
    static let methodNotAllowed = Self(.methodNotAllowed, .methodNotAllowed, "The path does not take this method.")
    static let unsupportedMediaType = Self(.unsupportedMediaType, .unsupportedMediaType, "The body must be JSON.")
    static let bodyTooLarge = Self(.bodyTooLarge, .contentTooLarge, "The body is too large.")
    static let malformedJSON = Self(.malformedJSON, .badRequest, "The body is not valid JSON in UTF-8.")
    static let unknownMember = Self(.unknownMember, .badRequest, "The body has a member that is not known here.")
    static let repeatedMember = Self(.repeatedMember, .badRequest, "The body has a member twice.")
    static let missingMember = Self(.missingMember, .badRequest, "A required member is missing or empty.")
    static let wrongType = Self(.wrongType, .badRequest, "A member has the wrong type.")
    static let requestTimeout = Self(
        .requestTimeout, .requestTimeout, "The request did not arrive in time.", isRetryable: true)
    static let invalidRequest = Self(.invalidRequest, .badRequest, "A part of the request is not valid.")

    // Who asks.
    static let tokenMissing = Self(.tokenMissing, .unauthorized, "An access token is required.")
    static let tokenInvalid = Self(.tokenInvalid, .unauthorized, "The access token is not valid.")
    static let tokenExpired = Self(.tokenExpired, .unauthorized, "The access token has expired.")
    static let forbidden = Self(.forbidden, .forbidden, "The access token does not grant this.")
    static let grantLimitExceeded = Self(
        .grantLimitExceeded, .forbidden, "The caller may not give so many coins.")

    static let appKeyInvalid = Self(.appKeyInvalid, .unauthorized, "The app key is missing or wrong.")
    static let forbiddenSource = Self(
        .forbiddenSource, .forbidden, "Webhooks are not taken from this address.")
    static let signatureInvalid = Self(.signatureInvalid, .unauthorized, "The webhook's signature does not verify.")

    // What the gateway says of the payment. 422: we understood, and the payment is not what it should be.
    static let paymentNotFound = Self(.paymentNotFound, .notFound, "The gateway knows no such payment.")
    static let paymentFailed = Self(.paymentFailed, .unprocessableContent, "The payment failed.")
    static let paymentCancelled = Self(.paymentCancelled, .unprocessableContent, "The payment was cancelled.")
    static let paymentPartiallyCancelled = Self(
        .paymentPartiallyCancelled, .unprocessableContent, "A part of the payment was cancelled.")
    static let merchantUIDMismatch = Self(
        .merchantUIDMismatch, .unprocessableContent, "The payment is for another merchant_uid.")
    static let amountMismatch = Self(
        .amountMismatch, .unprocessableContent, "The amount paid is not the product's price.")
    static let currencyMismatch = Self(
        .currencyMismatch, .unprocessableContent, "The payment is in another currency than the product's price.")
    static let testPayment = Self(
        .testPayment, .unprocessableContent, "The payment went through the gateway's test channel.")

    static let orderNotFound = Self(.orderNotFound, .unprocessableContent, "No order was made for the payment.")
    static let orderBelongsToAnotherUser = Self(
        .orderBelongsToAnotherUser, .conflict, "Another user made the order.")
    static let orderAlreadyCredited = Self(
        .orderAlreadyCredited, .conflict, "Another payment of the order was credited.")
    static let orderExpired = Self(.orderExpired, .unprocessableContent, "The order had expired when it was paid.")
    static let gatewayOff = Self(
        .gatewayOff, .unprocessableContent, "The gateway that this is for is not configured here.")

    // What an order is to be.
    static let productNotFound = Self(.productNotFound, .unprocessableContent, "No such product is on sale.")
    static let orderRefusedByGateway = Self(
        .orderRefusedByGateway, .badGateway, "The payment gateway does not take the order.")

    // What the ledger already knows of it.
    static let receiptBelongsToAnotherUser = Self(
        .receiptBelongsToAnotherUser, .conflict, "The payment was credited to another user.")
    static let claimedBySeveral = Self(
        .claimedBySeveral, .conflict, "Several users have presented the payment; a person decides whose it is.")
    static let merchantUIDAlreadyCredited = Self(
        .merchantUIDAlreadyCredited, .conflict, "Another payment of this merchant_uid was credited.")

    static let idempotencyKeyMissing = Self(
        .idempotencyKeyMissing, .badRequest, "The header Idempotency-Key is required.")
    static let requestInProgress = Self(
        .requestInProgress, .conflict, "The first request with this idempotency key still runs.",
        retryAfterSeconds: 1)
    static let idempotencyKeyReused = Self(
        .idempotencyKeyReused, .unprocessableContent, "The idempotency key was used for another request.")

    // What the wallet has.
    static let insufficientCoins = Self(
        .insufficientCoins, .init(code: 402, reasonPhrase: "Payment Required"),
        "The user has fewer coins to spend than required.")
    static let alreadyExpired = Self(
        .alreadyExpired, .unprocessableContent, "The coins would have expired already.")
    static let holdClosed = Self(.holdClosed, .conflict, "The hold sets nothing aside any more.")
    static let holdExpired = Self(.holdExpired, .conflict, "The hold's time is up.")
    static let exceedsHold = Self(.exceedsHold, .unprocessableContent, "The hold sets fewer coins aside.")

    // What can be given back.
    static let nothingToRefund = Self(
        .nothingToRefund, .unprocessableContent, "No coins of the purchase can be given back.")
    static let exceedsRefundable = Self(
        .exceedsRefundable, .unprocessableContent, "Fewer coins of the purchase can be given back.")
    static let userInDebt = Self(
        .userInDebt, .unprocessableContent, "The user owes coins, which have to be paid off first.")
    static let refundInProgress = Self(
        .refundInProgress, .conflict, "Another refund of the purchase waits for the gateway.", retryAfterSeconds: 5)
    static let refundRefused = Self(
        .refundRefused, .unprocessableContent, "The payment gateway refused to give the money back.")

    // What the gateway paid out.
    static let statementInvalid = Self(
        .statementInvalid, .unprocessableContent, "The statement can't be read, or has rows that can't be booked.")
    static let alreadySettled = Self(
        .alreadySettled, .conflict, "The payout is booked from another statement.")
    static let settledOtherwise = Self(
        .settledOtherwise, .conflict, "Other statements book payouts of this payment and day, and not as this one says."
    )
    static let exceedsPayment = Self(
        .exceedsPayment, .unprocessableContent,
        "More would be paid out of the payment, or kept back of it, than was paid.")

    // What of the books is closed.
    static let periodNotOver = Self(
        .periodNotOver, .unprocessableContent, "A period can be closed when it is over.")
    static let periodAlreadyClosed = Self(
        .periodAlreadyClosed, .conflict, "More than that is closed already, and stays closed.")

    // Not now.
    static let tooManyWaitingReceipts = Self(
        .tooManyWaitingReceipts, .tooManyRequests, "Too many receipts of this user wait for the gateway.",
        retryAfterSeconds: 60)
    static let tooManyRefusedReceipts = Self(
        .tooManyRefusedReceipts, .tooManyRequests, "Too many receipts of this user are unknown to the gateway.",
        retryAfterSeconds: 3600)
    static let tooManyWaitingEvents = Self(
        .tooManyWaitingEvents, .tooManyRequests, "Too many unsigned webhooks wait.", retryAfterSeconds: 60)
    static let tooManyAtOnce = Self(
        .tooManyAtOnce, .tooManyRequests, "Too many requests of this user are at work at once.", retryAfterSeconds: 1)
    static let tooManyOrders = Self(
        .tooManyOrders, .tooManyRequests, "Too many orders of this user are under way.", retryAfterSeconds: 60)
    static let tooManyExports = Self(
        .tooManyExports, .tooManyRequests, "As many exports run as may.", retryAfterSeconds: 30)
    static let gatewayUnavailable = Self(
        .gatewayUnavailable, .serviceUnavailable, "The payment gateway can't be reached.", retryAfterSeconds: 5)
    static let databaseUnavailable = Self(
        .databaseUnavailable, .serviceUnavailable, "The ledger can't be reached.", retryAfterSeconds: 1)
    static let overloaded = Self(.overloaded, .serviceUnavailable, "Too many requests wait.", retryAfterSeconds: 1)
    static let shuttingDown = Self(.shuttingDown, .serviceUnavailable, "The service stops.", retryAfterSeconds: 1)
    static let `internal` = Self(
        .internal, .internalServerError, "Something went wrong on our side.", isRetryable: true)

    /// Every code, in the order of the table.
    static let all: [Self] = [
        notFound, methodNotAllowed, unsupportedMediaType, bodyTooLarge, malformedJSON, unknownMember, repeatedMember,
        missingMember, wrongType, requestTimeout, invalidRequest, tokenMissing, tokenInvalid, tokenExpired, forbidden,
        grantLimitExceeded, appKeyInvalid, forbiddenSource, signatureInvalid, orderNotFound, orderBelongsToAnotherUser,
        orderAlreadyCredited, orderExpired, gatewayOff,
        productNotFound, orderRefusedByGateway, paymentNotFound, paymentFailed, paymentCancelled,
        paymentPartiallyCancelled, merchantUIDMismatch, amountMismatch, currencyMismatch, testPayment,
        receiptBelongsToAnotherUser, claimedBySeveral, merchantUIDAlreadyCredited,
        idempotencyKeyMissing, requestInProgress,
        idempotencyKeyReused, insufficientCoins, alreadyExpired, holdClosed, holdExpired, exceedsHold,
        nothingToRefund, exceedsRefundable, userInDebt, refundInProgress, refundRefused, statementInvalid,
        alreadySettled, settledOtherwise,
        exceedsPayment, periodNotOver, periodAlreadyClosed, tooManyWaitingReceipts,
        tooManyRefusedReceipts, tooManyWaitingEvents, tooManyAtOnce,
        tooManyOrders, tooManyExports, gatewayUnavailable, databaseUnavailable, overloaded, shuttingDown, `internal`,
    ]
}
