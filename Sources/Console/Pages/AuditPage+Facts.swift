import Ledger
import LedgerServer
import WireFormats

// What was seen and made, in words.
extension AuditPage {
    /// The stored members with their words: those of the act's proposals, then those of all acts; one without words as it is
    /// stored.
    static func facts(
        _ text: String?, _ record: AuditRecord, _ part: KeyPath<ProposalDescriber, [ProposalField]>,
        _ language: Language
    ) -> [[String: String]] {
        let (object, currency) = (JSON.members(text), JSON.members(record.seen)["currency"]?.text)
        var fields = ProposalDescriber.of(record.act).map { $0[keyPath: part] + $0.asked.map(\.asAsked) } ?? []
        let own = Set(fields.map(\.name))
        fields += words.filter { !own.contains($0.name) }
        let named = fields.compactMap { field -> [String: String]? in
            // An amount may lack its currency: the number is better than nothing.
            let value = field.value(in: object, currency: currency, language) ?? field.number(in: object)
            return value.map { ["name": field.label(language), "value": $0] }
        }
        let known = Set(fields.map(\.name))
        return named + ApprovalPages.facts(text ?? "{}").filter { !known.contains($0["name"] ?? "") }
    }

    /// The words for what acts without a proposal store, then for what the approval of one stores; of a name, the first.
    static let words = (ProposalDescriber.balance + own + ProposalDescriber.all.flatMap(\.made)).reduce(
        into: [ProposalField]()
    ) { words, field in
        if !words.contains(where: { $0.name == field.name }) { words.append(field) }
    }

    private static let own: [ProposalField] = [
        ProposalField("amount", "Amount", "금액", .money), ProposalField("currency", "Currency", "통화", .hidden),
        ProposalField("coins", "Coins", "코인"), ProposalField("refund", "Refund", "환불 번호", .id),
        ProposalField("purchase", "Purchase", "구매", .id), ProposalField("finding", "Finding", "확인 필요 결제", .id),
        ProposalField("lot", "Coins granted as lot", "적립 건", .id),
        ProposalField("journal_entry", "Entry", "전표", .id),
        ProposalField(
            "status", "Status", "상태",
            .word(["refundState_", "endpoint_", "topUp_", "campaign_", "forgetting_"])),
        ProposalField("code", "Refused because", "거절 사유", .problem),
        ProposalField("review", "What the gateway's answer led to", "PG사 조회 결과", .word(["review_"])),
        ProposalField("payments", "Payments found", "조회된 결제", .text),
        ProposalField("hold", "Hold", "보류", .id), ProposalField("released", "Coins released", "해제한 코인"),
        ProposalField("note", "Note", "메모", .id),
        ProposalField("open_items", "Items that were open", "미해결 항목 수", .text),
        ProposalField("proposed_by", "Proposed by", "요청자", .text),
        ProposalField("endpoint", "Endpoint", "엔드포인트", .id), ProposalField("url", "URL", "URL 주소", .text),
        ProposalField("description", "Description", "설명", .text),
        ProposalField("types", "Types of events", "이벤트 종류", .text), ProposalField("users", "Users", "사용자", .text),
        ProposalField("replay", "Replay", "재전송", .id), ProposalField("from", "First event", "첫 이벤트 번호", .id),
        ProposalField("until", "Last event", "마지막 이벤트 번호", .id),
        ProposalField("only_failed", "Only events that were given up", "포기한 이벤트만", .flag),
        ProposalField("outcome", "Result of the test", "시험 전송 결과", .word(["delivery_"])),
    ]
}

extension ProposalField {
    /// The same of what was asked for, as the audit stores it beside what was seen.
    fileprivate var asAsked: ProposalField {
        ProposalField("asked_\(name)", words.english, words.korean, format)
    }

    /// The amount without its currency.
    fileprivate func number(in object: [String: JSON]) -> String? {
        guard case .money = format else { return nil }
        return object[name]?.integer.map { Show.number($0) }
    }
}
