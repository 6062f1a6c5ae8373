extension ConsoleAct {
    static let ofVisits = [signIn, signOut, signOutEverywhere]

    static let signIn = ConsoleAct(.signIn, right: nil, Words("sign-in", "로그인"))
    static let signOut = ConsoleAct(.signOut, "sign-out", right: nil, Words("sign-out", "로그아웃"))
    static let signOutEverywhere = ConsoleAct(
        .signOutEverywhere, "sign-out-everywhere", right: nil, Words("sign-out everywhere", "모든 기기에서 로그아웃"))
}

extension ConsoleAct {
    static let ofCustomers =
        [lookUp, note, refund, grant, writeOff, voidHold] + CustomerActs.all.map { $0.act } + ofTopUps
        + [overruleRefundQuestion] + ofForgetting

    static let lookUp = ConsoleAct(
        .lookUp, "customers/{user}/look-up", "look-up", right: .lookUp, Words("look-up at the gateway", "PG사 조회"),
        fields: [.own("gateway"), .own("imp_uid"), .own("merchant_uid")])
    static let note = ConsoleAct(
        .note, "customers/{user}/notes", right: .note, Words("note", "메모"),
        done: Words("The note is added.", "메모를 추가했습니다."), fields: [.own("text")])
    static let refund = ConsoleAct(
        .refund, "customers/{user}/refund/{id}", right: .refund, Words("refund", "환불"),
        done: Words("The refund is begun. The history shows how it ends.", "환불을 시작했습니다. 결과는 이력에 표시됩니다."),
        fields: [.own("coins"), .own("amount"), .own("reason")] + account, isLimited: true)
    static let grant = ConsoleAct(
        .grant, "customers/{user}/grant", right: .grant, Words("grant", "코인 지급"),
        done: Words("The coins are granted.", "코인을 지급했습니다."), fields: [.own("coins"), .own("reason")], isLimited: true)
    static let writeOff = ConsoleAct(
        .writeOff, "customers/{user}/write-off", right: .writeOff, Words("write-off of a debt", "미회수 코인 면제"),
        done: Words("The debt is written off.", "미회수 코인을 면제했습니다."), fields: [.own("coins"), .own("reason")],
        isLimited: true)
    static let voidHold = ConsoleAct(
        .voidHold, "customers/{user}/void/{id}", right: .voidHold, Words("release of a hold", "보류 해제"),
        done: Words("The hold is released.", "보류를 해제했습니다."), fields: [.own("reason")])

    static let ofTopUps = [pauseTopUp, resumeTopUp, revokeTopUp]

    static let pauseTopUp = ConsoleAct(
        .pauseTopUp, "customers/{user}/top-up/pause", right: .topUp, Words("pause of top-ups", "자동 충전 일시 중지"),
        done: Words("Top-ups are paused.", "자동 충전을 일시 중지했습니다."), fields: [.own("reason")])
    static let resumeTopUp = ConsoleAct(
        .resumeTopUp, "customers/{user}/top-up/resume", right: .topUp, Words("resumption of top-ups", "자동 충전 재개"),
        done: Words("Top-ups are resumed.", "자동 충전을 재개했습니다."), fields: [.own("reason")])
    static let revokeTopUp = ConsoleAct(
        .revokeTopUp, "customers/{user}/top-up/revoke", right: .topUp, Words("end of top-ups", "자동 충전 철회"),
        done: Words("The consent to top-ups has ended.", "자동 충전 동의를 종료했습니다."), fields: [.own("reason")])

    static let overruleRefundQuestion = ConsoleAct(
        .overruleRefundQuestion, "customers/{user}/refund-questions/{id}", right: .refund,
        Words("answer to a store about a refund", "스토어 환불 문의 응답 선택"),
        done: Words("The store is told so.", "선택한 응답을 스토어에 보냅니다."), fields: [.reason, .own("preference")])

    static let ofForgetting = [askToForget, cancelForgetting]

    static let askToForget = ConsoleAct(
        .askToForget, "customers/{user}/forget", right: .forget, Words("request to forget a customer", "고객 정보 파기 요청"),
        done: Words("The customer will be forgotten.", "고객 정보 파기를 요청했습니다."), fields: [.own("reason")])
    static let cancelForgetting = ConsoleAct(
        .cancelForgetting, "customers/{user}/forget/cancel", right: .forget,
        Words("cancellation of forgetting a customer", "고객 정보 파기 취소"),
        done: Words("The customer will not be forgotten.", "고객 정보 파기를 취소했습니다."), fields: [.own("reason")])

    /// What ``FormPart/account`` asks for.
    static let account: [ConsoleField] = [.own("bank"), .own("number"), .own("holder"), .own("phone")]
}

extension ConsoleAct {
    static let ofApprovals = [approve, decline, withdraw]

    static let approve = ConsoleAct(
        .approve, "approvals/{id}/approve", right: .approve, Words("approval", "승인"),
        done: Words("It is approved and carried out.", "승인하여 처리했습니다."))
    static let decline = ConsoleAct(
        .decline, "approvals/{id}/decline", right: .approve, Words("refusal of an approval", "반려"),
        done: Words("It is declined.", "반려했습니다."), fields: [.reason("declineReason")])
    /// Its author may, and nobody else, so reading is enough.
    static let withdraw = ConsoleAct(
        .withdrawProposal, "approvals/{id}/withdraw", right: .read, Words("withdrawal of a proposal", "승인 요청 취소"),
        done: Words("It is withdrawn.", "승인 요청을 취소했습니다."))
}

extension ConsoleAct {
    static let ofFindings = [assignFinding, noteFinding, resolveFinding, claimFinding, refundFinding]

    static let assignFinding = ConsoleAct(
        .assignFinding, "findings/{id}/take", "findings/{id}/leave", "findings/{id}/send", right: .workOnFindings,
        Words("finding: who works on it", "확인 필요 결제: 담당자"),
        done: Words("It is recorded who works on it.", "담당을 기록했습니다."), fields: [.own("note")])
    static let noteFinding = ConsoleAct(
        .noteFinding, "findings/{id}/note", right: .workOnFindings, Words("finding: note", "확인 필요 결제: 메모"),
        done: Words("The note is kept.", "메모를 남겼습니다."), fields: [.reason("findingNote")])
    static let resolveFinding = ConsoleAct(
        .resolveFinding, "findings/{id}/resolve", right: .decideFindings, Words("finding: resolved", "확인 필요 결제: 해결"),
        done: Words("The finding is resolved.", "해결 처리했습니다."), fields: [.reason])
    static let claimFinding = ConsoleAct(
        .claimFinding, "findings/{id}/claim", right: .workOnFindings,
        Words("finding: credit to a customer", "확인 필요 결제: 적립"),
        done: Words("The payment is credited.", "결제를 적립했습니다."),
        fields: [.own("user"), .own("new_user"), .own("amount"), .reason], isLimited: true)
    static let refundFinding = ConsoleAct(
        .refundFinding, "findings/{id}/refund", right: .workOnFindings,
        Words("finding: money back at the gateway", "확인 필요 결제: 환불"),
        done: Words(
            "The gateway is asked to return the money. The finding ends when it has.",
            "PG사에 환불을 요청했습니다. 환불이 끝나면 확인 필요 결제가 해결됩니다."),
        fields: [.own("amount"), .reason] + account, isLimited: true)
}

extension ConsoleAct {
    static let ofCampaigns = [approveCampaign, pauseCampaign, resumeCampaign, voidCampaign]

    static let approveCampaign = ConsoleAct(
        .approveCampaign, "campaigns/{id}/approve", right: .approve, Words("campaign: approval", "캠페인 승인"),
        done: Words("The campaign is approved.", "캠페인을 승인했습니다."))
    static let pauseCampaign = ConsoleAct(
        .pauseCampaign, "campaigns/{id}/pause", right: .campaign, Words("campaign: pause", "캠페인 일시 중지"),
        done: Words("The campaign is paused.", "캠페인을 일시 중지했습니다."), fields: [.reason])
    static let resumeCampaign = ConsoleAct(
        .resumeCampaign, "campaigns/{id}/resume", right: .campaign, Words("campaign: resumption", "캠페인 재개"),
        done: Words("The campaign is resumed.", "캠페인을 재개했습니다."))
    static let voidCampaign = ConsoleAct(
        .voidCampaign, "campaigns/{id}/void", right: .campaign, Words("campaign: void", "캠페인 회수"),
        done: Words("What is left of the campaign is being voided.", "캠페인의 남은 코인을 회수하고 있습니다."),
        fields: [.reason])
}
