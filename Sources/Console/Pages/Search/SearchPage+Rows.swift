import Ledger

/// Something that was found, as a row of the page.
struct SearchRow {
    let values: [String: Any]

    init(of hit: SearchHit, _ visit: Visit) {
        let id = hit.id.map { " \($0)" } ?? ""
        var row: [String: Any] = [
            "title": hit.kind == .user ? hit.user?.rawValue ?? "" : visit.text("found_\(hit.kind.rawValue)") + id
        ]
        row["path"] = SearchPage.path(of: hit)
        row["impUID"] = hit.paymentID
        row["merchantUID"] = hit.merchantUID
        if let user = hit.user { row["customer"] = CustomerPath.link(to: user) }
        if let amount = hit.amount, let currency = hit.currency { row["amount"] = Show.money(amount, currency) }
        if let state = hit.state, let (text, tone) = Self.state(state, of: hit, visit) {
            row["state"] = text
            row["tone"] = tone
        }
        row["detail"] = Self.detail(of: hit, visit)
        row["time"] = visit.time(hit.at)
        values = row
    }

    private static func state(_ state: String, of hit: SearchHit, _ visit: Visit) -> (text: String, tone: String)? {
        switch hit.kind {
        case .user, .order: nil
        case .purchase: (visit.text("status_\(state)"), state == "credited" ? "good" : "wait")
        case .finding: (visit.text("finding_\(state)"), hit.detail == "open" ? "bad" : "good")
        case .receipt: (visit.text("receipt_\(state)"), state == "waiting" ? "wait" : "bad")
        case .refund: (visit.text("refundState_\(state)"), tones[state] ?? "")
        case .hold: (visit.text("holdState_\(state)"), state == "open" ? "wait" : "")
        case .webhook: (visit.text("webhookState_\(state)"), tones[state] ?? "")
        }
    }

    private static let tones = [
        "pending": "wait", "approved": "wait", "waiting": "wait", "completed": "good", "done": "good", "refused": "bad",
        "abandoned": "bad",
    ]

    private static func detail(of hit: SearchHit, _ visit: Visit) -> String? {
        guard let detail = hit.detail else { return nil }
        return switch hit.kind {
        case .finding: visit.text("findingStatus_\(detail)")
        case .receipt: visit.why(detail)
        default: detail
        }
    }
}

extension SearchPage {
    static let texts: [ConsoleText] = [
        .init("searchTitle", "Search", "검색"),
        .init("searchButton", "Search", "검색"),
        .init("searchPlaceholder", "User, imp_uid, order, ₩1,000 yesterday", "사용자, imp_uid, 주문, 1,000원 어제"),
        .init(
            "searchHelp",
            """
            Enter a user or the beginning of one (kim*), an imp_uid, merchant_uid or payment_id, or the id of a purchase, \
            refund, hold, order, finding or receipt.
            """,
            "사용자 아이디(앞부분만 알면 kim*), imp_uid, merchant_uid, payment_id 또는 구매, 환불, 보류, 주문, 확인 필요 결제, 결제 확인의 번호를 입력하세요."),
        .init(
            "searchHelpTime",
            "Or an amount and a time: ₩1,000 yesterday, 5,000 2026-11-25, 5,000 11-25 14:03. Without a day: of the last three days.",
            "금액과 시각으로도 찾을 수 있습니다: 1,000원 어제, 5,000 2026-11-25, 5,000 11-25 14:03. 날짜가 없으면 최근 3일에서 찾습니다."),
        .init("searchKey", "Press / to go to the search field.", "/ 키를 누르면 검색창으로 이동합니다."),
        .init("searchEmpty", "Nothing is found:", "검색 결과가 없습니다:"),
        .init(
            "searchExact",
            "Names are compared exactly, with upper and lower case; of a user the beginning is enough.",
            "이름은 대소문자까지 정확히 일치해야 합니다. 사용자 아이디는 앞부분만 입력해도 됩니다."),
        .init("searchAsk", "Ask the gateway about this id", "PG사에 이 번호 조회"),
        .init(
            "searchAskHelp",
            """
            PortOne V1 knows its imp_uid, V2 your payment_id, the App Store also the order id of the buyer's mail (M…). \
            What it answers is booked as a webhook would be.
            """,
            """
            포트원 V1은 imp_uid로, V2는 payment_id로, App Store는 구매자 영수증 메일의 주문 ID(M…)로도 조회합니다. \
            조회한 내용은 웹훅과 같은 방식으로 장부에 반영됩니다.
            """),
        .init("searchAskButton", "Ask about", "조회하기:"),
        .init("searchUser", "Customer", "고객"), .init("foundWhat", "Found", "항목"),
        .init(
            "foundMore", "There are more. Name a day, or more of the name.",
            "더 있습니다. 날짜를 지정하거나 이름을 더 입력하세요."),
        .init("found_user", "user", "사용자"), .init("found_purchase", "purchase", "구매"),
        .init("found_refund", "refund", "환불"), .init("found_hold", "hold", "보류"),
        .init("found_order", "order", "주문"), .init("found_receipt", "receipt", "결제 확인"),
        .init("found_finding", "finding", "확인 필요 결제"), .init("found_webhook", "webhook", "웹훅"),
        .init("foundGroup_user", "Customers", "고객"), .init("foundGroup_purchase", "Purchases", "구매"),
        .init("foundGroup_refund", "Refunds", "환불"), .init("foundGroup_hold", "Holds", "보류"),
        .init("foundGroup_order", "Orders", "주문"), .init("foundGroup_receipt", "Receipts", "결제 확인"),
        .init("foundGroup_finding", "Findings", "확인 필요 결제"),
        .init("foundGroup_webhook", "Webhooks of the gateway", "PG사 웹훅"),
        .init("refundState_pending", "pending", "진행 중"), .init("refundState_completed", "completed", "완료"),
        .init("refundState_refused", "refused", "거절"), .init("refundState_approved", "to be transferred", "이체 대기"),
        .init("refundState_reversed", "reversed", "취소됨"),
        .init("holdState_open", "open", "보류 중"), .init("holdState_captured", "captured", "보류 확정"),
        .init("holdState_voided", "released", "보류 해제"), .init("holdState_expired", "expired", "만료"),
        .init("webhookState_waiting", "waits", "처리 대기"), .init("webhookState_done", "processed", "처리됨"),
        .init("webhookState_ignored", "without effect", "영향 없음"), .init("webhookState_abandoned", "given up", "확인 중단"),
    ]
}
