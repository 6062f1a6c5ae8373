// All problem codes: name, status, title in both languages, and whether a retry can help. The comment of a code tells the
// caller what to do; docs/api.md repeats it. If several codes apply to a request, the response has the first.
extension ProblemCode {
    // MARK: The request

    /// The path, or the id in it, is unknown.
    ///
    /// Check both.
    public static let notFound = ProblemCode("not_found", 404, "Not found.", korean: "찾을 수 없습니다. 번호를 확인하세요.")
    /// Use one of the methods in `allow`.
    public static let methodNotAllowed = ProblemCode(
        "method_not_allowed", 405, "The path does not support this method.", korean: "이 주소에서는 할 수 없는 요청입니다.")
    /// Send `Content-Type: application/json`, or `text/csv` for a settlement file.
    public static let unsupportedMediaType = ProblemCode(
        "unsupported_media_type", 415, "The body must be JSON.", korean: "보낼 수 없는 형식입니다.")
    /// Send `max_bytes` bytes at most.
    public static let bodyTooLarge = ProblemCode(
        "body_too_large", 413, "The body is too large.", korean: "내용이 너무 큽니다.", detailNamesMistake: true)
    /// Correct the body.
    public static let malformedJSON = ProblemCode(
        "malformed_json", 400, "The body is not valid JSON in UTF-8.", korean: "내용을 읽을 수 없습니다.")
    /// Remove the member that `pointer` names, or correct its name; `known` lists the valid ones.
    public static let unknownMember = ProblemCode(
        "unknown_member", 400, "The body has an unknown member.", korean: "알 수 없는 항목이 있습니다.", detailNamesMistake: true)
    /// Send the member that `pointer` names once.
    public static let repeatedMember = ProblemCode(
        "repeated_member", 400, "The body has a member twice.", korean: "같은 항목이 두 번 있습니다.", detailNamesMistake: true)
    /// Send the member that `pointer` names.
    public static let missingMember = ProblemCode(
        "missing_member", 400, "A required member is missing or empty.",
        korean: "필수 항목을 입력하세요.", detailNamesMistake: true)
    /// Correct the member that `pointer` names.
    ///
    /// A number must be an integer. A member that means all when it is left out must not be `null`.
    public static let wrongType = ProblemCode(
        "wrong_type", 400, "A member has the wrong type.", korean: "항목의 형식이 올바르지 않습니다.", detailNamesMistake: true)
    /// The connection is closed.
    ///
    /// Send the request again.
    public static let requestTimeout = ProblemCode(
        "request_timeout", 408, "The request did not arrive in time.",
        korean: "요청이 제시간에 도착하지 않았습니다. 다시 시도하세요.", isRetryable: true)
    /// Correct the part that `pointer` or `member` names.
    public static let invalidRequest = ProblemCode(
        "invalid_request", 400, "A part of the request is invalid.",
        korean: "입력한 값이 올바르지 않습니다.", detailNamesMistake: true)

    // MARK: The caller

    /// Send `Authorization: Bearer` and a token.
    public static let tokenMissing = ProblemCode(
        "token_missing", 401, "An access token is required.", korean: "로그인이 필요합니다.")
    /// Get a new token.
    ///
    /// `claim` names the claim that is wrong.
    public static let tokenInvalid = ProblemCode(
        "token_invalid", 401, "The access token is invalid.", korean: "로그인이 올바르지 않습니다. 다시 로그인하세요.")
    /// Get a new token and repeat the request.
    public static let tokenExpired = ProblemCode(
        "token_expired", 401, "The access token has expired.", korean: "로그인이 만료되었습니다. 다시 로그인하세요.")
    /// Use a token with the scope `required_scope`.
    public static let forbidden = ProblemCode(
        "forbidden", 403, "The access token does not allow this.", korean: "현재 역할로는 할 수 없습니다.")
    /// Grant `available` coins at most, or have the limit raised.
    public static let grantLimitExceeded = ProblemCode(
        "grant_limit_exceeded", 403, "The grant exceeds the caller's limit.",
        korean: "지급 한도를 넘습니다.", detailNamesMistake: true)
    /// A webhook came from an address that is not in `LEDGERD_WEBHOOK_SOURCES`.
    public static let forbiddenSource = ProblemCode(
        "forbidden_source", 403, "Webhooks are not accepted from this address.", korean: "이 주소에서 보낸 웹훅은 받지 않습니다.")
    /// Compare `LEDGERD_PORTONE_V2_WEBHOOK_SECRET` with the gateway's console.
    public static let signatureInvalid = ProblemCode(
        "signature_invalid", 401, "The webhook's signature is invalid.", korean: "웹훅의 서명이 올바르지 않습니다.")

    // MARK: The payment, as the gateway reports it

    /// The gateway has no such payment, or not under this `merchant_uid`.
    ///
    /// Check the ids. `gateway` names the gateway that was asked.
    public static let paymentNotFound = ProblemCode(
        "payment_not_found", 404, "The gateway does not know the payment.", korean: "PG사에 없는 결제입니다. 번호를 확인하세요.")
    /// The payer was not charged.
    ///
    /// Let the user pay again.
    public static let paymentFailed = ProblemCode(
        "payment_failed", 422, "The payment failed.", korean: "실패한 결제입니다. 결제 금액이 청구되지 않았습니다.")
    /// The payer got the money back.
    ///
    /// Let the user pay again.
    public static let paymentCancelled = ProblemCode(
        "payment_cancelled", 422, "The payment was cancelled.", korean: "취소된 결제입니다.")
    /// A partly cancelled payment credits no coins.
    ///
    /// Cancel the rest at the gateway and let the user pay again.
    public static let paymentPartiallyCancelled = ProblemCode(
        "payment_partially_cancelled", 422, "A part of the payment was cancelled.", korean: "부분 취소된 결제이므로 적립하지 않습니다.")
    /// Send the `merchant_uid` that the payment was made under.
    public static let merchantUIDMismatch = ProblemCode(
        "merchant_uid_mismatch", 422, "The payment belongs to another merchant_uid.",
        korean: "다른 주문 번호(merchant_uid)의 결제입니다.")
    /// The amount paid is neither the order's amount nor the price of a product that was on sale then: `detail` tells the
    /// prices.
    ///
    /// Cancel the payment at the gateway.
    public static let amountMismatch = ProblemCode(
        "amount_mismatch", 422, "The amount paid is not the price.", korean: "결제 금액이 상품 가격과 다릅니다.")
    /// Cancel the payment at the gateway.
    public static let currencyMismatch = ProblemCode(
        "currency_mismatch", 422, "The payment is in another currency than the price.", korean: "결제 통화가 상품 통화와 다릅니다.")
    /// Present what StoreKit gives the app (`jwsRepresentation`), unchanged.
    public static let receiptSignatureInvalid = ProblemCode(
        "receipt_signature_invalid", 422, "The store did not sign what was presented.",
        korean: "스토어가 서명한 영수증이 아닙니다.")
    /// Present the purchases of the configured app.
    public static let appMismatch = ProblemCode(
        "app_mismatch", 422, "The purchase is of another app.", korean: "다른 앱의 구매입니다.")
    /// In production, purchases in the store's sandbox are not credited.
    public static let environmentMismatch = ProblemCode(
        "environment_mismatch", 422, "The purchase is of an environment of the store that is not accepted.",
        korean: "허용하지 않는 스토어 환경(샌드박스 등)의 구매입니다.")
    /// The buyer has to present it.
    public static let familyShared = ProblemCode(
        "family_shared", 422, "The purchase is shared by a family, and another member has bought it.",
        korean: "가족 공유로 받은 구매이므로 적립하지 않습니다.")
    /// In production, use a live channel.
    ///
    /// For tests, set `LEDGERD_ALLOW_TEST_PAYMENTS`.
    public static let testPayment = ProblemCode(
        "test_payment", 422, "The payment was made through the gateway's test channel.",
        korean: "PG사의 테스트 채널로 한 결제입니다.")
    /// Make the order with `POST /v1/orders` before the payment, and pay under its `merchant_uid`.
    public static let orderNotFound = ProblemCode(
        "order_not_found", 422, "The payment has no order.", korean: "주문이 없는 결제입니다.")
    /// Present the receipt with the token of the user who made the order.
    public static let orderBelongsToAnotherUser = ProblemCode(
        "order_belongs_to_another_user", 409, "The order belongs to another user.", korean: "다른 고객의 주문입니다.")
    /// The order was paid twice, and its coins were credited for the other payment.
    ///
    /// Leave that one. Ask for a refund of the payment in this receipt. `credited_gateway`, `credited_imp_uid` and
    /// `credited_at` tell the other one if it is the caller's own.
    public static let orderAlreadyCredited = ProblemCode(
        "order_already_credited", 409, "Another payment of the order was credited.",
        korean: "같은 주문의 다른 결제를 이미 적립했습니다. 이 결제는 환불 대상입니다.")
    /// Cancel the payment at the gateway and make a new order.
    public static let orderExpired = ProblemCode(
        "order_expired", 422, "The order had expired when it was paid.", korean: "주문이 만료된 뒤에 결제되었습니다.")
    /// Use a gateway that the service is configured for.
    public static let gatewayOff = ProblemCode(
        "gateway_off", 422, "The gateway of this request is not configured.", korean: "사용하지 않는 PG사입니다.")
    /// The user asks the store: <https://reportaproblem.apple.com>.
    ///
    /// What it gives back is clawed back. You can refund by bank transfer.
    public static let refundByStore = ProblemCode(
        "refund_by_store", 409, "The store alone refunds what it sold.", korean: "스토어에서 판매한 결제는 스토어에서만 환불합니다.")

    /// Leave out `method`, or send `gateway`.
    ///
    /// What a store gives back is clawed back.
    public static let refundInForeignCurrency = ProblemCode(
        "refund_in_foreign_currency", 409,
        "What was paid in a foreign currency can't be refunded by bank transfer, and a purchase in the App Store only there.",
        korean: "외화로 결제한 구매는 계좌이체로 환불할 수 없고, App Store에서 결제한 구매는 App Store에서만 환불합니다.")

    // MARK: The order

    /// Choose a product of `GET /v1/products`.
    public static let productNotFound = ProblemCode(
        "product_not_found", 422, "The product is not on sale.", korean: "판매 중인 상품이 아닙니다.")
    /// Order in won, or in a currency of the product's `prices` in `GET /v1/products`.
    public static let noPriceInCurrency = ProblemCode(
        "no_price_in_currency", 422, "The product has no price in this currency.", korean: "이 통화로 판매하지 않는 상품입니다.")
    /// `gateway_code` has the gateway's reason.
    ///
    /// Make the order again, or tell the operator.
    public static let orderRefusedByGateway = ProblemCode(
        "order_refused_by_gateway", 502, "The payment gateway refused the order.", korean: "PG사가 주문을 거절했습니다.")

    // MARK: The payment, as the ledger knows it

    /// The payment was credited to another user, or names another user.
    ///
    /// Present the receipt with that user's token.
    public static let receiptBelongsToAnotherUser = ProblemCode(
        "receipt_belongs_to_another_user", 409, "The payment belongs to another user.", korean: "다른 고객의 결제입니다.")
    /// A person decides who gets the coins.
    ///
    /// `GET /v1/findings` lists the payment.
    public static let claimedBySeveral = ProblemCode(
        "claimed_by_several", 409, "Several users presented the payment.",
        korean: "여러 고객이 제출한 결제입니다. 담당자가 누구에게 적립할지 결정해야 합니다.")
    /// The `merchant_uid` was paid twice, and its coins were credited for the other payment.
    ///
    /// Leave that one. Ask for a refund of the payment in this receipt. `credited_gateway`, `credited_imp_uid` and
    /// `credited_at` tell the other one if it is the caller's own.
    public static let merchantUIDAlreadyCredited = ProblemCode(
        "merchant_uid_already_credited", 409, "Another payment of this merchant_uid was credited.",
        korean: "같은 주문 번호(merchant_uid)의 다른 결제를 이미 적립했습니다. 이 결제는 환불 대상입니다.")

    // MARK: The idempotency key

    /// Send an `Idempotency-Key` that is new for each act, and the same for each repeat.
    public static let idempotencyKeyMissing = ProblemCode(
        "idempotency_key_missing", 400, "The header Idempotency-Key is required.", korean: "Idempotency-Key 헤더가 필요합니다.")
    /// Repeat the request after `Retry-After`.
    public static let requestInProgress = ProblemCode(
        "request_in_progress", 409, "The first request with this idempotency key is still running.",
        retryAfterSeconds: 1)
    /// Send a new key with a new request.
    ///
    /// `used_for` and `used_at` tell what the key was first used for, and when.
    public static let idempotencyKeyReused = ProblemCode(
        "idempotency_key_reused", 422, "The idempotency key was used for another request.",
        korean: "이 양식은 다른 내용으로 이미 전송했습니다. 페이지를 다시 여세요.")

    // MARK: Coins and holds

    /// No coins were moved.
    ///
    /// `required` and `available` are numbers of coins.
    public static let insufficientCoins = ProblemCode(
        "insufficient_coins", 402, "The user has too few coins.", korean: "코인이 부족합니다.", detailNamesMistake: true)
    /// Send an expiry in the future.
    public static let alreadyExpired = ProblemCode(
        "already_expired", 422, "The coins would already have expired.", korean: "이미 지난 만료일입니다.")
    /// Send another name, and another code.
    public static let campaignExists = ProblemCode(
        "campaign_exists", 409, "Another campaign has the name or the code.",
        korean: "이름이나 코드가 같은 다른 캠페인이 있습니다.")
    /// `campaign_state` tells why.
    ///
    /// A claim can be repeated when a campaign that has not started, is paused or has met its budget goes on.
    public static let campaignClosed = ProblemCode(
        "campaign_closed", 409, "The campaign does not allow it now.", korean: "지금은 할 수 없는 캠페인입니다.")
    /// Name another user: nobody gives coins to themselves.
    public static let giftToOneself = ProblemCode(
        "gift_to_oneself", 422, "The giver and the receiver are the same user.", korean: "자기 자신에게는 선물할 수 없습니다.")
    /// No user with the id in `to` ever had coins: it may be a mistake in writing.
    public static let unknownReceiver = ProblemCode(
        "unknown_receiver", 422, "The receiver is unknown.", korean: "받는 고객을 찾을 수 없습니다.")
    /// Give `available` coins at most: the others are of a kind, or from a gateway, whose coins can't be given away.
    public static let exceedsGiveable = ProblemCode(
        "exceeds_giveable", 422, "The user can give away fewer coins.", korean: "선물할 수 있는 코인보다 많습니다.",
        detailNamesMistake: true)
    /// Give `available` coins at most today: the giver or the receiver reaches the limit of the day.
    public static let giftLimitExceeded = ProblemCode(
        "gift_limit_exceeded", 422, "The gift exceeds the limit of the day.", korean: "하루 선물 한도를 넘습니다.",
        detailNamesMistake: true)
    /// `hold_status` tells whether it was captured or voided.
    public static let holdClosed = ProblemCode("hold_closed", 409, "The hold is closed.", korean: "이미 종료된 보류입니다.")
    /// Its remaining coins return to the wallet.
    ///
    /// Place a new hold.
    public static let holdExpired = ProblemCode(
        "hold_expired", 409, "The hold has expired.", korean: "만료된 보류입니다. 남은 코인은 지갑으로 돌아갑니다.")
    /// Capture `available` coins at most.
    public static let exceedsHold = ProblemCode(
        "exceeds_hold", 422, "The capture exceeds the hold.", korean: "보류한 코인보다 많습니다.", detailNamesMistake: true)

    /// Nothing of the spend or capture is left to reverse.
    public static let alreadyReversed = ProblemCode(
        "already_reversed", 422, "All coins came back before.", korean: "이미 모두 돌려주었습니다.")
    /// Reverse `available` coins at most.
    public static let exceedsRedemption = ProblemCode(
        "exceeds_redemption", 422, "The reversal exceeds the spend or capture.",
        korean: "사용한 코인보다 많습니다.", detailNamesMistake: true)
    /// Leave out the spend or capture `entry`: it took no coins of the purchase that could come back.
    public static let spendOfOtherPurchase = ProblemCode(
        "spend_of_other_purchase", 422, "The spend took no coins of the purchase.")

    /// Do it in parts: move `available` coins at most, then the rest in further requests, each with its own key.
    ///
    /// The coins lie in more than `limit` lots.
    public static let tooManyLots = ProblemCode(
        "too_many_lots", 422, "The coins lie in too many lots for one request.",
        korean: "적립 건이 너무 많아 한 번에 처리할 수 없습니다. 나누어 처리하세요.")

    /// `dispute_status` tells whether it was won or lost; a dispute that was won can be lost later, one that finance booked
    /// as lost can be won.
    public static let disputeDecided = ProblemCode(
        "dispute_decided", 409, "The dispute is decided.", korean: "이미 결정된 분쟁입니다.")
    /// The store was answered, has decided, or its deadline has passed.
    public static let refundQuestionClosed = ProblemCode(
        "refund_question_closed", 409, "The store's question is closed.", korean: "이미 종료된 스토어 환불 문의입니다.")
    /// Give back by hand what the dispute took.
    ///
    /// The used coins of the purchase came back or are held, so its lots have no place for the coins that paid the debt;
    /// or another dispute of the purchase is booked as lost.
    public static let disputeNotReversible = ProblemCode(
        "dispute_not_reversible", 409, "What the dispute took can't come back as it was.",
        korean: "분쟁으로 회수한 것을 그대로 되돌릴 수 없습니다. 직접 돌려주세요.")

    /// Nothing was moved, and the key is free: repeat the request when coins of the purchase have been used again.
    ///
    /// `required` coins are to come back, and `available` have a place: a lot never has more coins than were sold. A dispute that
    /// was won after its loss has brought back the coins that had paid for the used ones.
    public static let noPlaceForCoins = ProblemCode(
        "no_place_for_coins", 409, "The lots have no place for all coins.",
        korean: "승소한 분쟁으로 코인이 이미 돌아와 있어 더 돌려놓을 수 없습니다. 이 구매의 코인이 다시 쓰인 뒤에 하세요.", detailNamesMistake: true)

    // MARK: Refunds

    /// All coins of the purchase are used, held, expired or refunded, or they are worth less than a won or a cent.
    public static let nothingToRefund = ProblemCode(
        "nothing_to_refund", 422, "The purchase has no coins to refund.", korean: "이 구매에는 환불할 코인이 없습니다.")
    /// Only an approved refund, by bank transfer, is paid or reversed.
    ///
    /// `refund_status` tells its status.
    public static let refundNotApproved = ProblemCode(
        "refund_not_approved", 422, "The refund is not approved.", korean: "승인된 계좌 이체 환불이 아닙니다.")
    /// Only a refund that was paid by bank transfer can be repaid: `refund_status` tells its status.
    public static let refundNotPaid = ProblemCode(
        "refund_not_paid", 422, "The refund was not paid by bank transfer, or the money came back already.",
        korean: "계좌로 이체한 환불이 아니거나 이미 반환되었습니다.")
    /// Void `available` coins at most.
    ///
    /// `held` more are on hold, and can be voided when their hold has ended.
    public static let exceedsGrant = ProblemCode(
        "exceeds_grant", 422, "The wallet has fewer coins of the grant.",
        korean: "이 지급에서 지갑에 남은 코인보다 많습니다.", detailNamesMistake: true)
    /// The user owes `available` coins.
    public static let exceedsDebt = ProblemCode(
        "exceeds_debt", 422, "The user owes fewer coins.", korean: "미회수 코인보다 많습니다.", detailNamesMistake: true)
    /// Refund `available` coins at most.
    public static let exceedsRefundable = ProblemCode(
        "exceeds_refundable", 422, "The refund exceeds the refundable coins.",
        korean: "환불할 수 있는 코인보다 많습니다.", detailNamesMistake: true)
    /// The user must pay the debt of `debt` coins before a refund.
    public static let userInDebt = ProblemCode(
        "user_in_debt", 422, "The user owes coins.", korean: "미회수 코인이 있는 고객입니다. 환불하려면 먼저 갚아야 합니다.")
    /// Repeat the request after `Retry-After`.
    ///
    /// The gateway has not decided a refund. A dispute can't be booked as lost while a refund is approved and not paid,
    /// either.
    public static let refundInProgress = ProblemCode(
        "refund_in_progress", 409, "A refund of the purchase is not decided yet.",
        korean: "이 구매의 다른 환불이 진행 중입니다. 끝난 뒤 다시 시도하세요.", retryAfterSeconds: 5)
    /// The coins are back in the wallet.
    ///
    /// `reason` and `gateway_code` tell why.
    public static let refundRefused = ProblemCode(
        "refund_refused", 422, "The payment gateway refused the refund.", korean: "PG사가 환불을 거절했습니다. 코인은 지갑으로 돌아갔습니다.")

    /// Wait until the dispute is decided.
    ///
    /// The gateway may take the money back because of it, so it would go back twice.
    public static let purchaseDisputed = ProblemCode(
        "purchase_disputed", 409, "The buyer disputes the payment.")

    // MARK: Merges

    /// Use the id in `user`.
    ///
    /// A user is merged once, and nobody is merged into a former id.
    public static let userMerged = ProblemCode(
        "user_merged", 409, "The user was merged into another one.", korean: "다른 고객과 통합된 아이디입니다.",
        detailNamesMistake: true)
    /// Check the new id, or merge the user without `new_user`.
    public static let userExists = ProblemCode(
        "user_exists", 422, "The new id is somebody's.", korean: "이미 쓰고 있는 아이디입니다.", detailNamesMistake: true)
    /// Repeat the request after `Retry-After`.
    ///
    /// The user's card may be charged.
    public static let topUpInProgress = ProblemCode(
        "top_up_in_progress", 409, "A charge of automatic top-up is under way.",
        korean: "자동 충전 결제가 진행 중입니다. 끝난 뒤 다시 시도하세요.", retryAfterSeconds: 60)

    /// Merge the other user into this one, if that one has fewer.
    ///
    /// The user has more than `limit` purchases, holds and orders.
    public static let tooManyRecords = ProblemCode(
        "too_many_records", 422, "The user has too many purchases, holds and orders to be merged.",
        korean: "구매·보류·주문이 너무 많아 통합할 수 없습니다. 반대로 통합해 보세요.")

    /// One of the two users waits to be forgotten: cancel that request, or merge nobody.
    public static let forgettingWaiting = ProblemCode(
        "forgetting_waiting", 409, "A user waits to be forgotten.", korean: "삭제를 기다리는 이용자입니다.")

    // MARK: Findings

    /// Check the user's id.
    ///
    /// If the user is new, send the request again with `new_user: true`.
    public static let userUnknown = ProblemCode(
        "user_unknown", 422, "There is no order, purchase, receipt or coin of the user.")

    /// Give it back: no rate to come changes that.
    public static let worthOutOfRange = ProblemCode(
        "worth_out_of_range", 409, "The payment is worth no won or more than a trillion.")

    /// Refund the purchase `purchase_id` instead.
    public static let paymentCredited = ProblemCode("payment_credited", 409, "The payment is credited.")

    // MARK: Settlement and closing

    /// Nothing was booked.
    ///
    /// Correct the lines listed in `problems`, or skip them with `skip_bad_rows`.
    public static let statementInvalid = ProblemCode(
        "statement_invalid", 422, "The settlement file can't be read, or has lines that can't be booked.",
        korean: "정산 파일을 읽을 수 없거나 기장할 수 없는 행이 있습니다.")
    /// `settlement_line_status` tells how the line stands: only an `unmatched` line can be dismissed.
    public static let settlementLineStatusConflict = ProblemCode(
        "settlement_line_status_conflict", 409, "The settlement line has another status.", korean: "정산 행의 상태가 바뀌었습니다.")
    /// Close the period, or adjust the month, after its end.
    public static let periodNotOver = ProblemCode("period_not_over", 422, "The period is not over.")
    /// The books are already closed up to `closed_until`.
    public static let periodAlreadyClosed = ProblemCode(
        "period_already_closed", 409, "The period is already closed.")

    /// Set the policy for a month after `month`, or adjust `month` or a later one.
    public static let monthAdjusted = ProblemCode(
        "month_adjusted", 409, "The month or a later one is adjusted.", korean: "이 달 또는 이후 달의 수정분개를 이미 기장했습니다.")
    /// Set a policy that requires the adjustment.
    public static let noAccountingPolicy = ProblemCode(
        "no_accounting_policy", 422, "The accounting policy of the month does not require this adjustment.",
        korean: "이 달에 수정분개가 필요한 회계정책이 없습니다.")
    /// Another accounting policy was set at the same time.
    ///
    /// Send the request again.
    public static let policyChanged = ProblemCode(
        "policy_changed", 409, "Another accounting policy was set at the same time.",
        korean: "그사이 회계정책이 바뀌었습니다. 다시 시도하세요.", isRetryable: true)

    // MARK: Rates

    /// Send a code of ISO 4217, in capital letters.
    public static let unknownCurrency = ProblemCode(
        "unknown_currency", 422, "ISO 4217 does not have the currency.", korean: "ISO 4217에 없는 통화입니다.")
    /// Send the code of a foreign currency.
    public static let currencyOfBooks = ProblemCode(
        "currency_of_books", 422, "The books are kept in the currency: it has no rate.",
        korean: "장부의 기준 통화이므로 환율이 없습니다.")
    /// Set a rate of the currency, or ask for a later moment.
    public static let noRate = ProblemCode(
        "no_rate", 404, "No rate of the currency was published by then.", korean: "그 시점까지 고시된 환율이 없습니다.")

    // MARK: Providers

    /// No provider is owed more than ₩0 for captures before the cut-off.
    public static let nothingOwed = ProblemCode(
        "nothing_owed", 422, "Nothing is owed to the providers.", korean: "파트너에게 지급할 금액이 없습니다.")
    /// `payout_status` tells how far the payout is.
    public static let payoutStatusConflict = ProblemCode(
        "payout_status_conflict", 409, "The payout has another status.", korean: "파트너 정산의 상태가 바뀌었습니다.")
    /// The claim on the provider is `available` won.
    public static let exceedsClaim = ProblemCode(
        "exceeds_claim", 422, "The claim on the provider is smaller.",
        korean: "파트너에 대한 채권보다 많습니다.", detailNamesMistake: true)
    /// Let another person approve it.
    public static let approvalByProposer = ProblemCode(
        "approval_by_proposer", 403, "The proposer of a payout, an account, a campaign or a rate can't approve it.",
        korean: "본인이 요청한 지급, 계좌, 캠페인이나 환율은 승인할 수 없습니다.")
    /// Send the date on which the bank paid: not before the payout's cut-off, the day of the refund's transfer, or the day on
    /// which the debt arose.
    public static let paymentDateImplausible = ProblemCode(
        "payment_date_implausible", 422, "The payment is dated in the future, or too early.",
        korean: "날짜가 미래이거나 너무 이릅니다.", detailNamesMistake: true)

    // MARK: Endpoints

    /// Set `LEDGERD_ENDPOINT_KEY`.
    public static let endpointsOff = ProblemCode(
        "endpoints_off", 422, "The service is not configured to send webhooks.", korean: "웹훅을 보내도록 설정되어 있지 않습니다.")
    /// Set `LEDGERD_FORGETTING_KEY`.
    public static let forgettingOff = ProblemCode(
        "forgetting_off", 422, "The service is not configured to forget users.", korean: "이용자 정보를 파기하도록 설정되어 있지 않습니다.")
    /// Send an https URL of a host that is reachable from the internet, without credentials.
    public static let endpointURLRefused = ProblemCode(
        "endpoint_url_refused", 422, "Webhooks may not be sent to the URL.", korean: "이 URL로는 웹훅을 보낼 수 없습니다.")
    /// Delete endpoints that are not used.
    public static let tooManyEndpoints = ProblemCode(
        "too_many_endpoints", 422, "There are too many endpoints.", korean: "엔드포인트가 너무 많습니다.")
    /// Repeat the request after a replay of the endpoint has finished.
    public static let tooManyReplays = ProblemCode(
        "too_many_replays", 429, "Too many replays of the endpoint are running.",
        korean: "진행 중인 재전송이 너무 많습니다. 끝난 뒤 다시 시도하세요.", retryAfterSeconds: 60)

    // MARK: Limits and failures

    /// Present further receipts after `Retry-After`.
    public static let tooManyWaitingReceipts = ProblemCode(
        "too_many_waiting_receipts", 429, "Too many receipts of the user are waiting for the gateway.",
        korean: "이 고객의 결제 확인 대기 건이 너무 많습니다.", retryAfterSeconds: 60)
    /// Present further receipts after `Retry-After`.
    public static let tooManyRefusedReceipts = ProblemCode(
        "too_many_refused_receipts", 429, "The user presented too many receipts that the gateway does not know.",
        korean: "이 고객이 PG사에 없는 결제를 너무 많이 제출했습니다.", retryAfterSeconds: 3600)
    /// The gateway sends the webhook again.
    public static let tooManyWaitingEvents = ProblemCode(
        "too_many_waiting_events", 429, "Too many unsigned webhooks are waiting.",
        korean: "처리할 웹훅이 너무 많습니다.", retryAfterSeconds: 60)
    /// Repeat the request after `Retry-After`.
    public static let tooManyAtOnce = ProblemCode(
        "too_many_at_once", 429, "Too many requests of the user are running.",
        korean: "이 고객의 요청이 너무 많습니다. 잠시 후 다시 시도하세요.", retryAfterSeconds: 1)
    /// Let the user pay an open order, or wait until one has expired.
    public static let tooManyOrders = ProblemCode(
        "too_many_orders", 429, "The user has too many open orders.",
        korean: "이 고객의 결제하지 않은 주문이 너무 많습니다.", retryAfterSeconds: 60)
    /// Repeat the request after `Retry-After`.
    public static let tooManyExports = ProblemCode(
        "too_many_exports", 429, "Too many exports are running.",
        korean: "진행 중인 내보내기가 너무 많습니다. 잠시 후 다시 시도하세요.", retryAfterSeconds: 30)
    /// Repeat the request after `Retry-After`.
    public static let gatewayUnavailable = ProblemCode(
        "gateway_unavailable", 503, "The payment gateway can't be reached.",
        korean: "지금은 PG사에 연결할 수 없습니다. 다시 시도하세요.", retryAfterSeconds: 5)
    /// Repeat the request after `Retry-After`.
    public static let replicaUnavailable = ProblemCode(
        "replica_unavailable", 503, "The database's standby for reports can't be used now.",
        korean: "지금은 보고서용 데이터베이스를 사용할 수 없습니다. 다시 시도하세요.", retryAfterSeconds: 30)
    /// The result of the act is unknown.
    ///
    /// Repeat the request with the same key after `Retry-After`.
    public static let databaseUnavailable = ProblemCode(
        "database_unavailable", 503, "The database can't be reached.",
        korean: "지금은 데이터베이스에 연결할 수 없습니다. 처리 여부를 알 수 없으니 같은 양식을 다시 보내세요.", retryAfterSeconds: 1)
    /// Repeat the request after `Retry-After`.
    public static let overloaded = ProblemCode(
        "overloaded", 503, "Too many requests are waiting.",
        korean: "요청이 너무 많습니다. 잠시 후 다시 시도하세요.", retryAfterSeconds: 1)
    /// Repeat the request after `Retry-After`; another process handles it.
    public static let shuttingDown = ProblemCode(
        "shutting_down", 503, "The service is stopping.",
        korean: "서비스를 다시 시작하고 있습니다. 잠시 후 다시 시도하세요.", retryAfterSeconds: 1)
    /// Report it with `request_id`.
    ///
    /// Repeat the request with the same key.
    public static let `internal` = ProblemCode(
        "internal", 500, "Internal error.", korean: "내부 오류입니다. 요청 번호와 함께 관리자에게 알려 주세요.", isRetryable: true)
}

extension ProblemCode {
    /// Every code above, in the same order; a test writes the list.
    public static let known: [ProblemCode] = [
        notFound, methodNotAllowed, unsupportedMediaType, bodyTooLarge, malformedJSON, unknownMember,
        repeatedMember, missingMember, wrongType, requestTimeout, invalidRequest, tokenMissing, tokenInvalid,
        tokenExpired, forbidden, grantLimitExceeded, forbiddenSource, signatureInvalid, paymentNotFound,
        paymentFailed, paymentCancelled, paymentPartiallyCancelled, merchantUIDMismatch, amountMismatch,
        currencyMismatch, receiptSignatureInvalid, appMismatch, environmentMismatch, familyShared, testPayment,
        orderNotFound, orderBelongsToAnotherUser, orderAlreadyCredited, orderExpired, gatewayOff, refundByStore,
        refundInForeignCurrency, productNotFound, noPriceInCurrency, orderRefusedByGateway,
        receiptBelongsToAnotherUser, claimedBySeveral, merchantUIDAlreadyCredited, idempotencyKeyMissing,
        requestInProgress, idempotencyKeyReused, insufficientCoins, alreadyExpired, campaignExists, campaignClosed,
        giftToOneself, unknownReceiver, exceedsGiveable, giftLimitExceeded, holdClosed, holdExpired, exceedsHold,
        alreadyReversed, exceedsRedemption, spendOfOtherPurchase, tooManyLots, disputeDecided, refundQuestionClosed,
        disputeNotReversible, noPlaceForCoins, nothingToRefund, refundNotApproved, refundNotPaid, exceedsGrant,
        exceedsDebt, exceedsRefundable, userInDebt, refundInProgress, refundRefused, purchaseDisputed, userMerged,
        userExists, topUpInProgress, tooManyRecords, forgettingWaiting, userUnknown, worthOutOfRange,
        paymentCredited, statementInvalid, settlementLineStatusConflict, periodNotOver, periodAlreadyClosed,
        monthAdjusted, noAccountingPolicy, policyChanged, unknownCurrency, currencyOfBooks, noRate, nothingOwed,
        payoutStatusConflict, exceedsClaim, approvalByProposer, paymentDateImplausible, endpointsOff, forgettingOff,
        endpointURLRefused, tooManyEndpoints, tooManyReplays, tooManyWaitingReceipts, tooManyRefusedReceipts,
        tooManyWaitingEvents, tooManyAtOnce, tooManyOrders, tooManyExports, gatewayUnavailable, replicaUnavailable,
        databaseUnavailable, overloaded, shuttingDown, `internal`,
    ]
}
