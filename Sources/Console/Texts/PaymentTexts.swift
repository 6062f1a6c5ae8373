import PGVerifier

/// Words for what the gateway says of a payment, and for why a receipt or a refund waits or was refused.
enum PaymentTexts {
    static let all: [ConsoleText] = statuses + waits + refusals + refunds

    /// A reason in words; what has none stays as it is.
    static func why(_ reason: String, _ words: [String: String]) -> String {
        reason.split(separator: " ").map { words["why_\($0)"] ?? String($0) }.joined(separator: ", ")
    }

    private static let statuses: [ConsoleText] = [
        .init("payment_ready", "not paid yet", "결제 전"), .init("payment_paid", "paid", "결제됨"),
        .init("payment_failed", "failed", "실패"), .init("payment_cancelled", "cancelled", "취소됨"),
        .init("payment_partially_cancelled", "partly cancelled", "부분 취소됨"),
    ]

    private static let waits: [ConsoleText] = [
        .init("why_awaiting_payment", "not paid yet, such as a virtual account", "입금 전(가상계좌 등)"),
        .init("why_unknown_status", "the gateway has a status that is not known here", "알 수 없는 PG사 상태"),
        .init("why_cancellation_pending", "the gateway is cancelling it", "PG사에서 취소 진행 중"),
        .init(
            "why_claim_pending", "presented before it was paid; others can still present it",
            "결제 전에 제출됨(다른 고객도 제출할 수 있음)"),
        .init("why_unknown_store_product", "a store's product that nobody has named yet", "등록되지 않은 스토어 상품"),
        .init(
            "why_price_not_bookable", "paid in a currency without a rate", "환율이 없는 통화로 결제됨"),
        .init(
            "why_worth_out_of_range", "worth no won or more than a trillion, at any rate to come",
            "원화로 1원 미만이거나 1조 원을 넘는 결제(환율과 무관)"),
        .init("why_gateway_unavailable", "the gateway can't be reached", "PG사에 연결할 수 없음"),
        .init("why_paid_after_all", "paid after it was refused", "거절한 뒤 결제됨"),
    ]

    private static let refusals: [ConsoleText] = [
        .init("why_payment_not_found", "the gateway does not know the payment", "PG사에 없는 결제"),
        .init("why_payment_failed", "the payment failed", "결제 실패"),
        .init("why_payment_cancelled", "the payment was cancelled", "취소된 결제"),
        .init("why_payment_partially_cancelled", "a part of the payment was cancelled", "부분 취소된 결제"),
        .init("why_merchant_uid_mismatch", "the payment is of another merchant_uid", "주문 번호(merchant_uid) 불일치"),
        .init("why_amount_mismatch", "the amount is not the price", "상품 가격과 금액 불일치"),
        .init("why_currency_mismatch", "the currency is not the price's", "통화 불일치"),
        .init("why_test_payment", "a payment of the test channel", "테스트 채널 결제"),
        .init("why_receipt_belongs_to_another_user", "another customer's payment", "다른 고객의 결제"),
        .init("why_order_not_found", "the payment has no order", "주문 없는 결제"),
        .init("why_order_belongs_to_another_user", "another customer's order", "다른 고객의 주문"),
        .init(
            "why_order_already_credited", "another payment of the order was credited", "같은 주문의 다른 결제가 이미 적립됨"),
        .init("why_order_expired", "the order had expired", "만료된 주문"),
        .init("why_environment_mismatch", "another environment of the store", "스토어 환경 불일치"),
        .init("why_family_shared", "shared by a family", "가족 공유로 받은 구매"),
        .init("why_gateway_off", "the gateway is not used here", "사용하지 않는 PG사"),
        .init("why_claimed_by_several", "several customers presented it", "여러 고객이 제출함"),
        .init(
            "why_merchant_uid_already_credited", "another payment of the merchant_uid was credited",
            "같은 주문 번호의 다른 결제가 이미 적립됨"),
        .init("why_changed_meanwhile", "it changed while it was decided", "처리하는 동안 바뀜"),
        .init("why_invalid_request", "an account would exceed its maximum", "계정의 최대 금액 초과"),
        .init(
            "why_too_many_waiting_receipts", "too many receipts of the customer wait", "이 고객의 결제 확인 대기 건이 너무 많음"),
    ]

    private static let refunds: [ConsoleText] = [
        .init("why_begun", "just begun", "방금 시작함"),
        .init("why_cancellation_refused", "refused once; it is looked at again", "한 번 거절되어 다시 확인 중"),
        .init("why_payment_not_paid", "the payment was never paid", "결제되지 않음"),
        .init("why_already_cancelled", "nothing is left to cancel", "취소할 금액이 없음"),
        .init("why_balance_changed", "the payment's balance has changed", "결제 잔액이 바뀜"),
        .init("why_invalid_amount", "an amount that can't be refunded", "환불할 수 없는 금액"),
        .init("why_tax_parts_refused", "the gateway has less of a tax part", "과세·면세 금액 불일치"),
        .init("why_part_refused", "the store refunds only all that is left", "스토어는 남은 금액 전체만 환불 가능"),
        .init("why_refused_by_gateway", "refused by the gateway", "PG사 거절"),
    ]
}

extension Visit {
    /// Why a receipt or refund waits or was refused, in words.
    ///
    /// What has no words stays as it is, such as the gateway's own code after `cancellation_refused refused_by_gateway`.
    func why(_ reason: String) -> String {
        PaymentTexts.why(reason, Texts.table(language))
    }

    /// A payment's status at the gateway, in words.
    ///
    /// One that this version does not know is the gateway's own word.
    func text(_ status: GatewayPayment.Status) -> String {
        switch status {
        case .ready: text("payment_ready")
        case .paid: text("payment_paid")
        case .failed: text("payment_failed")
        case .cancelled: text("payment_cancelled")
        case .partiallyCancelled: text("payment_partially_cancelled")
        case .unknown(let word): word
        }
    }
}
