import LedgerServer

extension ProposalField {
    static let entry = ProposalField("journal_entry", "Entry", "전표", .id)
    static let currency = ProposalField("currency", "Currency", "통화", .hidden)
    // What a refund has of a payment in a foreign currency is shown with the won.
    static let foreignAmount = ProposalField(
        "foreign_amount", "Amount in the payment's currency", "결제 통화 금액", .hidden)
    static let foreignFee = ProposalField("foreign_fee", "Fee in the payment's currency", "결제 통화 수수료", .hidden)
    static let foreignCurrency = ProposalField("foreign_currency", "The payment's currency", "결제 통화", .hidden)
}

extension ProposalDescriber {
    /// The describers of all acts that can be proposed.
    static let all = [refund, grant, writeOff, claim, findingRefund] + CustomerActs.all.map { $0.proposal }

    private static let refund = ProposalDescriber(
        RefundOrder.self, title: .init("Refund of a purchase", "구매 환불"),
        button: .init("refund", "환불"),
        asked: [ProposalField("purchase", "Purchase", "구매", .id), ProposalField("coins", "Coins to refund", "환불할 코인")],
        seen: [
            ProposalField("amount", "The payer gets", "환불 금액", .money), .currency,
            ProposalField("fee", "Fee", "수수료", .money),
            ProposalField("refunded_before", "Refunded of the purchase before", "이 구매의 기존 환불액", .money),
            ProposalField("unused", "Unused coins of the purchase", "이 구매의 미사용 코인"),
            ProposalField("bonus_coins", "Bonus coins taken back", "회수할 보너스 코인"),
            .foreignAmount, .foreignFee, .foreignCurrency,
        ],
        made: [
            ProposalField("refund", "Refund", "환불 번호", .id),
            ProposalField("status", "Status of the refund", "환불 상태", .refundStatus),
            ProposalField("amount", "Refunded", "환불한 금액", .money),
            .foreignAmount, .foreignFee, .foreignCurrency,
        ]
    ) { try await $0.refund($1) }

    private static let grant = ProposalDescriber(
        GrantOrder.self, title: .init("Grant of bonus coins", "보너스 코인 지급"),
        button: .init("grant", "코인 지급"), asked: [ProposalField("coins", "Coins to grant", "지급할 코인")],
        made: [ProposalField("lot", "Coins granted as lot", "적립 건", .id), .entry]
    ) { try await $0.grant($1) }

    private static let writeOff = ProposalDescriber(
        WriteOffOrder.self, title: .init("Write-off of a debt", "미회수 코인 면제"),
        button: .init("write off", "미회수 코인 면제"), asked: [ProposalField("coins", "Coins to write off", "면제할 코인")],
        made: [.entry]
    ) { try await $0.writeOff($1) }

    private static let findingRefund = ProposalDescriber(
        FindingRefundOrder.self, title: .init("Refund of a payment that is not credited", "적립되지 않은 결제의 환불"),
        button: .init("give back", "환불"), asked: [ProposalField("finding", "Finding", "확인 필요 결제", .id)],
        seen: [
            ProposalField("amount", "Amount paid", "결제 금액", .money), .currency,
            ProposalField("open", "Nobody has resolved it", "아직 처리되지 않음", .flag),
        ],
        made: [
            ProposalField("finding", "Finding", "확인 필요 결제", .id),
            ProposalField("status", "Status of the refund", "환불 상태", .refundStatus),
        ]
    ) { try await $0.finding($1.finding) }

    private static let claim = ProposalDescriber(
        ClaimOrder.self, title: .init("Credit of a payment to a customer", "결제를 고객에게 적립"),
        button: .init("credit", "적립"),
        asked: [
            ProposalField("finding", "Finding", "확인 필요 결제", .id),
            ProposalField("new_user", "There is no record of the customer", "기록이 없는 고객", .flag),
        ],
        seen: [
            ProposalField("amount", "Amount paid", "결제 금액", .money), .currency,
            ProposalField("open", "Nobody has resolved it", "아직 처리되지 않음", .flag),
        ],
        made: [ProposalField("purchase", "Purchase", "구매", .id)]
    ) { try await $0.finding($1.finding) }
}
