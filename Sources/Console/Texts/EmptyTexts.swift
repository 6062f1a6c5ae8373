/// What parts of pages say that have nothing to show: why, and what to do.
enum EmptyTexts {
    static let all: [ConsoleText] = [
        .init("noneClaims", "Nobody has presented this payment.", "이 결제를 제출한 고객이 없습니다."),
        .init(
            "noneActs", "Nobody has worked on it. Assign it to somebody, or write a note.",
            "아직 처리 기록이 없습니다. 담당자를 정하거나 메모를 남기세요."),
        .init(
            "nonePurchases", "No purchases. If the customer paid, search for the payment or ask the gateway about it.",
            "구매 내역이 없습니다. 고객이 결제했다면 결제 번호로 검색하거나 PG사에 조회하세요."),
        .init("noneEvents", "Nothing has happened yet.", "아직 기록이 없습니다."),
        .init(
            "noneNotes", "No notes. Write what the next colleague should know.",
            "메모가 없습니다. 다음 담당자가 알아야 할 내용을 남기세요."),
        .init(
            "noneStatement", "No captures yet: they appear when the service captures a hold for this provider.",
            "아직 거래가 없습니다. 이 파트너의 보류가 확정되면 표시됩니다."),
        .init("noneClosed", "No proposal has ended yet.", "처리가 끝난 승인 요청이 없습니다."),
        .init("noneSeals", "The books were not sealed yet. Seal them after a closing.", "아직 봉인하지 않았습니다. 마감 후 봉인하세요."),
        .init("noneClosings", "No month is closed. Begin above.", "마감한 월이 없습니다. 위에서 시작하세요."),
        .init(
            "noneSales", "Nothing was sold on this day. Choose another one in the table.",
            "이 날은 판매가 없습니다. 표에서 다른 날을 선택하세요."),
        .init(
            "noneMissing", "No month lacks its adjustment. The next one is due when its month has ended.",
            "빠진 월말 수정분개가 없습니다. 이번 달은 월이 끝난 뒤에 기장합니다."),
        .init("noneBooked", "No month is adjusted. Preview one above.", "기장한 수정분개가 없습니다. 위에서 미리 보기를 하세요."),
        .init(
            "noneAttempts", "Nothing was sent. Send a test event to try the endpoint.",
            "전송 내역이 없습니다. 시험 이벤트를 보내 확인하세요."),
        .init(
            "noneReplays", "Nothing was sent again. Give the numbers of events to do so.",
            "재전송한 내역이 없습니다. 이벤트 번호를 지정해 재전송하세요."),
    ]
}
