import Foundation
import Ledger
import PGVerifier
import Testing

@testable import Console
@testable import LedgerServer

/// What a program calls a refusal, reason or status has words in both languages, and one thing has one name.
@Suite(.timeLimit(.minutes(20))) struct WordsTests {
    private static let root = GeneratedBlock.root

    private func expectWords(_ keys: some Sequence<String>, _ what: String) {
        for key in keys {
            for language in Language.allCases { #expect(Texts.table(language)[key] != nil, "\(what): \(key)") }
        }
    }

    @Test func `each problem code has words`() throws {
        var codes: Set<String> = []
        for target in ["LedgerServer", "LedgerWire", "Console"] {
            for file in try ConsoleSources.files(in: Self.root.appending(path: "Sources/\(target)")) {
                codes.formUnion(file.text.matches(of: #/ProblemCode\(\s*"([a-z_]+)"/#).map { String($0.1) })
            }
        }
        #expect(codes.count > 80)
        // Apps of the coin shop have another error format.
        codes.remove("app_key_invalid")
        expectWords(codes.sorted().map { "problem_\($0)" }, "a problem code")
    }

    @Test func `each reason of a receipt or refund has words`() {
        expectWords(WaitReason.allCases.map { "why_\($0.rawValue)" }, "why a receipt waits")
        expectWords(RefusalReason.allCases.map { "why_\($0.rawValue)" }, "why a receipt was refused")
        expectWords(CancellationRefusal.Reason.allCases.map { "why_\($0.rawValue)" }, "why a refund was refused")
        let others: [CreditRefusal] = [
            .gatewayOff, .claimedBySeveral, .orderAlreadyCredited(by: nil), .merchantUIDAlreadyCredited(by: nil),
            .changedMeanwhile, .accountFull, .tooManyWaitingReceipts,
        ]
        expectWords(others.map { "why_\($0.name)" }, "why a receipt was refused")
        expectWords(
            ["why_begun", "why_\(PendingRefund.accepted)", "why_cancellation_refused", "why_paid_after_all"],
            "why a refund or receipt waits")
    }

    @Test func `each kind of finding, status and reason of a settlement line has words`() {
        expectWords(Finding.Kind.all.map { "finding_\($0.rawValue)" }, "a kind of finding")
        expectWords(Purchase.Status.allCases.map { "status_\($0.rawValue)" }, "a status of a purchase")
        let reasons = [
            "already_settled", "settled_otherwise", "exceeds_payment", "foreign_currency", "paid_out_in_future",
            "paid_out_before_payment", "fee_exceeds_gross", "rate_implausible", "changed_meanwhile", "named_otherwise",
            "ambiguous", "refused",
        ]
        expectWords(reasons.map { "lineReason_\($0)" }, "a reason of a settlement line")
        expectWords(Dispute.Status.allCases.map { "dispute_\($0.rawValue)" }, "a status of a dispute")
        expectWords(
            RefundQuestion.Status.allCases.map { "refundQuestion_\($0.rawValue)" }
                + RefundPreference.allCases.map { "refundPreference_\($0.rawValue)" }
                + RefundQuestion.Outcome.allCases.map { "refundOutcome_\($0.rawValue)" }, "a store's question")
    }

    /// Words that were in use, and those that replace them.
    private static let oldWords: KeyValuePairs<String, String> = [
        "결제 대행사": "PG사", "결제사": "PG사", "결제대행사": "PG사", "홀드": "보류", "캡처": "보류 확정", "묶음": "적립 건", "로트": "적립 건",
        "미납": "미회수 코인", "탕감": "면제", "대손 처리": "미회수 코인 면제", "대기 중인 영수증": "결제 확인 대기",
        "대기 중 영수증": "결제 확인 대기", "영수증 대기": "결제 확인 대기", "영수증 포기": "확인 중단", "영수증 적립": "결제 확인",
        "유상 코인": "유료 코인", "무상 코인": "보너스 코인", "공급자": "파트너", "지급 제안": "지급 요청", "확인 건": "확인 필요 결제",
        "확인 사항": "확인 필요 결제", "혼자 처리": "단독 처리 한도", "환불 전 금액": "환불 대상 금액", "두 번째 사람": "승인자",
        "다른 사람이 승인": "다른 담당자가 승인", "찾은 항목이 없": "검색 결과가 없습니다",
    ]

    @Test func `one thing has one Korean name, on pages and in documents`() throws {
        var texts = Texts.all.map { ($0.key, $0.korean) }
        let documents = ["README.ko.md", "docs/README.ko.md", "docs/tour.ko.md"]
        texts += try documents.map { ($0, try String(contentsOf: Self.root.appending(path: $0), encoding: .utf8)) }
        for (name, text) in texts {
            for (old, new) in Self.oldWords where text.contains(old) {
                Issue.record("\(name) says \(old); its name is \(new)")
            }
        }
    }

    @Test func `a reason in words keeps what the gateway said`() {
        let words = Texts.table(.english)
        #expect(PaymentTexts.why("gateway_unavailable", words) == "the gateway can't be reached")
        #expect(
            PaymentTexts.why("cancellation_refused refused_by_gateway F123", words)
                == "refused once; it is looked at again, refused by the gateway, F123")
        #expect(PaymentTexts.why("of_tomorrow", words) == "of_tomorrow")
        #expect(PaymentTexts.why("", words) == "")
    }

    @Test func `a refusal in Korean names what to correct`() {
        let problem = Problem.missingMember("/coins", "coins is required")
        #expect(ConsoleRefusal.text(problem, .korean) == "필수 항목을 입력하세요. (coins is required)")
        #expect(ConsoleRefusal.text(Problem(.holdClosed, "It was voided"), .korean) == "이미 종료된 보류입니다.")
        #expect(ConsoleRefusal.text(problem, .english).contains("Coins is required."))
    }
}
