/// Why a receipt waits, was refused or given up, in words.
enum ReceiptReason {
    static let texts: [ConsoleText] = [
        .init("receiptReason_awaiting_payment", "not paid yet, such as a virtual account", "입금 전(가상계좌 등)"),
        .init(
            "receiptReason_unknown_status", "the gateway has a status that is not known here",
            "알 수 없는 PG사 상태"),
        .init("receiptReason_cancellation_pending", "the gateway is cancelling it", "PG사에서 취소 진행 중"),
        .init(
            "receiptReason_claim_pending", "presented before it was paid; others can still present it",
            "결제 전에 제출됨(다른 고객도 제출할 수 있음)"),
        .init("receiptReason_gateway_unavailable", "the gateway can't be reached", "PG사에 연결할 수 없음"),
        .init("receiptReason_paid_after_all", "paid after it was refused", "거절한 뒤 결제됨"),
        .init("receiptReason_payment_not_found", "the gateway does not know the payment", "PG사에 없는 결제"),
        .init("receiptReason_payment_failed", "the payment failed", "결제 실패"),
        .init("receiptReason_payment_cancelled", "the payment was cancelled", "취소된 결제"),
        .init("receiptReason_payment_partially_cancelled", "a part of the payment was cancelled", "부분 취소된 결제"),
        .init(
            "receiptReason_merchant_uid_mismatch", "the payment is of another merchant_uid",
            "주문 번호(merchant_uid) 불일치"),
        .init("receiptReason_amount_mismatch", "the amount is not the price", "상품 가격과 금액 불일치"),
        .init("receiptReason_currency_mismatch", "the currency is not the price's", "통화 불일치"),
        .init("receiptReason_test_payment", "a payment of the test channel", "테스트 채널 결제"),
        .init("receiptReason_receipt_belongs_to_another_user", "another customer's payment", "다른 고객의 결제"),
        .init("receiptReason_order_not_found", "the payment has no order", "주문 없는 결제"),
        .init("receiptReason_order_belongs_to_another_user", "another customer's order", "다른 고객의 주문"),
        .init(
            "receiptReason_order_already_credited", "another payment of the order was credited",
            "같은 주문의 다른 결제가 이미 적립됨"),
        .init("receiptReason_order_expired", "the order had expired", "만료된 주문"),
        .init("receiptReason_gateway_off", "the gateway is not used here", "사용하지 않는 PG사"),
        .init("receiptReason_claimed_by_several", "several customers presented it", "여러 고객이 제출함"),
        .init(
            "receiptReason_merchant_uid_already_credited", "another payment of the merchant_uid was credited",
            "같은 주문 번호의 다른 결제가 이미 적립됨"),
        .init("receiptReason_changed_meanwhile", "it changed while it was decided", "처리하는 동안 바뀜"),
        .init("receiptReason_invalid_request", "an account would exceed its maximum", "계정의 최대 금액 초과"),
        .init(
            "receiptReason_too_many_waiting_receipts", "too many receipts of the customer wait",
            "이 고객의 결제 확인 대기 건이 너무 많음"),
    ]
}

extension Visit {
    /// A reason in words; one of which there are none stays as it is.
    func why(_ reason: String) -> String { Texts.table(language)["receiptReason_\(reason)"] ?? reason }
}
