import LedgerServer

extension ProposalDescriber {
    /// The describers of all acts that can be proposed.
    static let all = [refund, grant, grantVoid, writeOff, reversal, takeBack, claim, findingRefund]

    private static let coins = ProposalField("coins", "Coins", "코인")
    private static let entry = ProposalField("journal_entry", "Entry", "전표", .id)
    private static let currency = ProposalField("currency", "Currency", "통화", .hidden)
    private static let refusal = ProposalField("code", "Refused because", "거절 사유", .problem)

    /// The customer's balance.
    private static let balance = [
        ProposalField("paid", "Paid coins of the customer", "고객의 유료 코인"),
        ProposalField("bonus", "Bonus coins of the customer", "고객의 보너스 코인"),
        ProposalField("held", "Coins on hold", "보류 중인 코인"),
        ProposalField("debt", "Coins that the customer owes", "미회수 코인"),
    ]

    private static let refund = ProposalDescriber(
        act: .refund, title: .init("Refund of a purchase", "구매 환불"),
        request: .init("Ask for approval: refund", "환불 승인 요청"), approve: .init("Approve: refund", "환불 승인"),
        asked: [ProposalField("purchase", "Purchase", "구매", .id), ProposalField("coins", "Coins to refund", "환불할 코인")],
        seen: [
            ProposalField("amount", "The payer gets", "환불 금액", .money), currency,
            ProposalField("fee", "Fee", "수수료", .money),
            ProposalField("refunded_before", "Refunded of the purchase before", "이 구매의 기존 환불액", .money),
            ProposalField("unused", "Unused coins of the purchase", "이 구매의 미사용 코인"),
            ProposalField("bonus_coins", "Bonus coins taken back", "회수할 보너스 코인"),
        ] + balance,
        made: [
            ProposalField("refund", "Refund", "환불 번호", .id),
            ProposalField("status", "Status of the refund", "환불 상태", .refundStatus),
            ProposalField("amount", "Refunded", "환불한 금액", .money), refusal,
        ])

    private static let grant = ProposalDescriber(
        act: .grant, title: .init("Grant of bonus coins", "보너스 코인 지급"),
        request: .init("Ask for approval: grant", "코인 지급 승인 요청"), approve: .init("Approve: grant", "코인 지급 승인"),
        asked: [ProposalField("coins", "Coins to grant", "지급할 코인")], seen: balance,
        made: [ProposalField("lot", "Coins granted as lot", "적립 건", .id), entry, refusal])

    private static let grantVoid = ProposalDescriber(
        act: .voidGrant, title: .init("Void of a grant", "코인 지급 취소"),
        request: .init("Ask for approval: void", "지급 취소 승인 요청"), approve: .init("Approve: void", "지급 취소 승인"),
        asked: [
            ProposalField("grant", "Entry of the grant", "지급 전표", .id),
            ProposalField("coins", "Coins to void", "취소할 코인"),
            ProposalField("whole", "Also what comes back later", "나중에 돌아오는 코인도 취소", .flag),
        ],
        seen: [
            ProposalField("available", "Coins of the grant that can be voided", "이 지급에서 취소할 수 있는 코인"),
            ProposalField("grant_held", "Coins of the grant on hold", "이 지급에서 보류 중인 코인"),
            ProposalField("granted", "Coins granted", "지급한 코인"),
            ProposalField("voided_before", "Coins of it that were voided before", "이미 취소한 코인"),
        ] + balance,
        made: [
            entry, ProposalField("coins", "Coins voided", "취소한 코인"),
            ProposalField("left", "Coins of the grant that stay in the wallet", "지갑에 남은 이 지급의 코인"),
            ProposalField("grant_held", "Coins of the grant on hold", "이 지급에서 보류 중인 코인"), refusal,
        ])

    private static let writeOff = ProposalDescriber(
        act: .writeOff, title: .init("Write-off of a debt", "미회수 코인 면제"),
        request: .init("Ask for approval: write off", "미회수 코인 면제 승인 요청"),
        approve: .init("Approve: write off", "미회수 코인 면제 승인"),
        asked: [ProposalField("coins", "Coins to write off", "면제할 코인")], seen: balance, made: [entry, refusal])

    private static let reversal = ProposalDescriber(
        act: .reverse, title: .init("Taking back of a spend", "사용 취소"),
        request: .init("Ask for approval: take back", "사용 취소 승인 요청"), approve: .init("Approve: take back", "사용 취소 승인"),
        asked: [
            ProposalField("entry", "Entry of the spend", "사용 전표", .id),
            ProposalField("coins", "Coins to give back", "돌려줄 코인"),
        ],
        seen: [
            ProposalField("left", "Coins of the spend that did not come back", "이 사용에서 아직 돌려주지 않은 코인"),
            ProposalField("fitting", "Of them with a place in their lots", "그중 적립 건에 자리가 있는 코인"),
            ProposalField("returned_before", "Coins of it that came back before", "이미 돌려준 코인"),
        ] + balance,
        made: [entry, ProposalField("coins", "Coins that came back", "돌려준 코인"), refusal])

    private static let takeBack = ProposalDescriber(
        act: .takeBack, title: .init("Taking back of spends with the refund of their purchase", "사용 취소 후 구매 환불"),
        request: .init("Ask for approval: take back and refund", "사용 취소 후 환불 승인 요청"),
        approve: .init("Approve: take back and refund", "사용 취소 후 환불 승인"),
        asked: [
            ProposalField("purchase", "Purchase", "구매", .id),
            ProposalField("spends", "Entries of the spends", "사용 전표", .ids),
        ],
        seen: [
            ProposalField("amount", "The payer gets", "환불 금액", .money), currency,
            ProposalField("fee", "Fee", "수수료", .money),
            ProposalField("left", "Coins that come back", "돌려받는 코인"),
            ProposalField("returned_before", "Coins of the spends that came back before", "이미 돌려준 코인"),
            ProposalField("refunded_before", "Refunded of the purchase before", "이 구매의 기존 환불액", .money),
            ProposalField("bonus_coins", "Bonus coins taken back", "회수할 보너스 코인"),
        ] + balance,
        made: [
            ProposalField("refund", "Refund", "환불 번호", .id),
            ProposalField("status", "Status of the refund", "환불 상태", .refundStatus),
            ProposalField("amount", "Refunded", "환불한 금액", .money),
            ProposalField("coins", "Coins that came back", "돌려받은 코인"), refusal,
        ])

    private static let findingRefund = ProposalDescriber(
        act: .refundFinding, title: .init("Refund of a payment that is not credited", "적립되지 않은 결제의 환불"),
        request: .init("Ask for approval: give back", "환불 승인 요청"), approve: .init("Approve: give back", "환불 승인"),
        asked: [ProposalField("finding", "Finding", "확인 필요 결제", .id)],
        seen: [
            ProposalField("amount", "Amount paid", "결제 금액", .money), currency,
            ProposalField("open", "Nobody has resolved it", "아직 처리되지 않음", .flag),
        ] + balance,
        made: [
            ProposalField("finding", "Finding", "확인 필요 결제", .id),
            ProposalField("status", "Status of the refund", "환불 상태", .refundStatus), refusal,
        ])

    private static let claim = ProposalDescriber(
        act: .claimFinding, title: .init("Credit of a payment to a customer", "결제를 고객에게 적립"),
        request: .init("Ask for approval: credit", "적립 승인 요청"), approve: .init("Approve: credit", "적립 승인"),
        asked: [
            ProposalField("finding", "Finding", "확인 필요 결제", .id),
            ProposalField("new_user", "There is no record of the customer", "기록이 없는 고객", .flag),
        ],
        seen: [
            ProposalField("amount", "Amount paid", "결제 금액", .money), currency,
            ProposalField("open", "Nobody has resolved it", "아직 처리되지 않음", .flag),
        ] + balance,
        made: [ProposalField("purchase", "Purchase", "구매", .id), refusal])
}
