import Foundation
import TestSupport
import Testing
import WireFormats

@testable import Console
@testable import Ledger
@testable import LedgerServer

/// What the audit says of what acts saw and made.
@Suite(.timeLimit(.minutes(20))) struct AuditWordsTests {
    private static func record(_ act: AuditAct, seen: String, detail: String = "{}") -> AuditRecord {
        AuditRecord(
            id: 1, actedAt: Date(timeIntervalSince1970: 0), subject: "s", name: "Suho", role: "support",
            act: act.rawValue, target: "user:ann", user: .ann, reason: "", seen: seen, approval: nil,
            secondPerson: nil, outcome: .done, detail: detail)
    }

    private static func facts(
        _ record: AuditRecord, _ part: KeyPath<ProposalDescriber, [ProposalField]>, _ language: Language
    ) -> [String] {
        AuditPage.facts(part == \.seen ? record.seen : record.detail, record, part, language).map {
            "\($0["name"] ?? ""): \($0["value"] ?? "")"
        }
    }

    @Test func `what acts without a proposal store is words in both languages`() {
        let look = Self.record(.lookUp, seen: #"{"paid": 500, "debt": 0}"#, detail: #"{"review": "agrees"}"#)
        #expect(
            Self.facts(look, \.seen, .english)
                == ["Paid coins of the customer: 500 coins", "Coins that the customer owes: 0 coins"])
        #expect(Self.facts(look, \.made, .korean) == ["PG사 조회 결과: 장부가 PG사와 일치합니다."])
        let closing = Self.record(.proposeClosing, seen: #"{"open_items": 12}"#)
        #expect(Self.facts(closing, \.seen, .korean) == ["미해결 항목 수: 12"])
        let endpoint = Self.record(
            .replayEvents, seen: #"{"status": "enabled", "types": "", "from": 3, "until": null, "only_failed": true}"#)
        #expect(
            Self.facts(endpoint, \.seen, .english)
                == ["Status: enabled", "First event: 3", "Only events that were given up: yes"])
    }

    @Test func `what was asked for has the words of its proposal, and what nobody knows is shown as stored`() {
        let refund = Self.record(
            .refund, seen: #"{"amount": 5000, "currency": "KRW", "asked_purchase": 17, "later_member": 1}"#)
        #expect(
            Self.facts(refund, \.seen, .english) == ["The payer gets: ₩5,000", "Purchase: 17", "later_member: 1"])
        let approval = Self.record(
            .approve, seen: "{}", detail: #"{"refund": 7, "status": "completed", "amount": 4900}"#)
        #expect(Self.facts(approval, \.made, .english) == ["Amount: 4,900", "Refund: 7", "Status: completed"])
    }

    @Test func `each name has one meaning, in words of both languages`() {
        #expect(Set(AuditPage.words.map(\.name)).count == AuditPage.words.count)
        for field in AuditPage.words {
            let english = field.label(.english)
            #expect(!english.contains("_") && english.first?.isUppercase == true, "\(english)")
            #expect(field.label(.korean).contains { ("가"..."힣").contains($0) }, "\(field.name)")
        }
    }
}
