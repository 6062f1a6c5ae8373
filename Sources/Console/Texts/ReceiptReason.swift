/// Why a receipt waits, was refused or given up, in words.
enum ReceiptReason {
    /// The words; the code of a reason of which there are none.
    static func text(_ code: String, _ visit: Visit) -> String {
        Texts.table(visit.language)["receiptReason_\(code)"] ?? code
    }

    static let texts: [ConsoleText] = [
        .init("receiptReason_awaiting_payment", "not paid yet", "아직 결제되지 않음"),
        .init("receiptReason_unknown_status", "the gateway has a new status", "PG사의 새로운 상태"),
        .init("receiptReason_cancellation_pending", "being cancelled at the gateway", "PG사에서 취소 진행 중"),
        .init(
            "receiptReason_claim_pending", "paid after it was presented: others may present it",
            "제출 후 결제됨: 다른 사용자의 제출을 기다리는 중"),
        .init("receiptReason_gateway_unavailable", "the gateway can't be reached", "PG사에 연결할 수 없음"),
        .init("receiptReason_paid_after_all", "paid after all", "뒤늦게 결제됨"),
        .init("receiptReason_payment_not_found", "the gateway does not know the payment", "PG사에 없는 결제"),
        .init("receiptReason_payment_failed", "the payment failed", "결제 실패"),
        .init("receiptReason_payment_cancelled", "the payment is cancelled", "취소된 결제"),
        .init("receiptReason_payment_partially_cancelled", "the payment is cancelled in part", "부분 취소된 결제"),
        .init("receiptReason_merchant_uid_mismatch", "the payment is of another order", "다른 주문의 결제"),
        .init("receiptReason_amount_mismatch", "no product has this price", "금액과 일치하는 상품 없음"),
        .init("receiptReason_currency_mismatch", "another currency", "통화 불일치"),
        .init("receiptReason_test_payment", "a test payment", "테스트 결제"),
        .init("receiptReason_receipt_belongs_to_another_user", "credited to another customer", "다른 고객에게 적립된 결제"),
        .init("receiptReason_order_not_found", "without an order", "주문 없음"),
        .init("receiptReason_order_belongs_to_another_user", "another customer's order", "다른 고객의 주문"),
        .init(
            "receiptReason_order_already_credited", "another payment of the order was credited",
            "같은 주문의 다른 결제가 적립됨"),
        .init("receiptReason_order_expired", "the order had expired", "만료된 주문"),
        .init("receiptReason_gateway_off", "the gateway is not configured", "설정되지 않은 PG사"),
        .init("receiptReason_claimed_by_several", "several customers presented it", "여러 고객이 제출함"),
        .init(
            "receiptReason_merchant_uid_already_credited", "another payment of the order was credited",
            "같은 주문의 다른 결제가 적립됨"),
        .init("receiptReason_changed_meanwhile", "changed meanwhile", "그사이 변경됨"),
        .init("receiptReason_invalid_request", "the account's limit is reached", "계정 한도 초과"),
        .init("receiptReason_too_many_waiting_receipts", "too many receipts wait", "확인 대기 영수증이 너무 많음"),
        .init("receiptReason_credited", "credited", "적립됨"),
    ]
}
