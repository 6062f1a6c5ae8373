import Ledger
import TestSupport
import Testing
import WireFormats

@testable import Console
@testable import LedgerServer

/// Each act that can be proposed has words for all that is stored of it.
@Suite(.timeLimit(.minutes(20))) struct ProposalDescriberTests {
    /// All members that orders have, each with another value.
    static let stored: [String: JSON] = ProposalDescriber.all.flatMap(\.asked).enumerated().reduce(into: [:]) {
        $0[$1.element.name] =
            switch $1.element.format {
            case .flag: .bool(true)
            case .ids: .string("18,20")
            case .text: .string("bob")
            default: .integer(Int64(17 + $1.offset))
            }
    }

    /// An order of each kind.
    static let orders = PersonOrders.all.map { sure($0.init(.object(stored), account: nil)) }

    @Test func `each act that can be proposed has a describer`() {
        let proposed = PersonOrders.all.map { $0.act.rawValue }
        #expect(proposed.count > 7 && Set(proposed).count == proposed.count)
        #expect(ProposalDescriber.all.map { $0.act.rawValue }.sorted() == proposed.sorted())
    }

    @Test func `each member of an order, and each that outdates it, has words`() throws {
        for order in Self.orders {
            let act = type(of: order).act.rawValue
            let describer = try #require(ProposalDescriber.of(act))
            #expect(Set(describer.asked.map(\.name)) == Set(order.parameters.keys), "\(act)")
            #expect(Set(type(of: order).decisive).isSubset(of: describer.seen.map(\.name)), "\(act)")
            #expect(describer.made.contains { $0.name == "code" }, "\(act): its refusal")
            for language in Language.allCases {
                let facts = ProposalDescriber.facts(describer.asked, in: order.parameters, language)
                #expect(facts.count == order.parameters.count, "\(act): each is shown")
            }
        }
    }

    @Test func `labels are words in both languages, each once, and no names of members`() {
        for describer in ProposalDescriber.all {
            for fields in [describer.asked, describer.seen, describer.made] {
                #expect(Set(fields.map(\.name)).count == fields.count, "\(describer.act)")
                for field in fields {
                    let (english, korean) = (field.label(.english), field.label(.korean))
                    #expect(!english.contains("_") && english.first?.isUppercase == true, "\(english)")
                    #expect(korean.contains { ("가"..."힣").contains($0) }, "\(korean)")
                }
            }
            for words in [describer.title, describer.button] {
                #expect(!words.english.isEmpty && words.korean.contains { ("가"..."힣").contains($0) })
            }
        }
    }

    @Test func `values are shown as what they are`() throws {
        let refund = try #require(ProposalDescriber.of("refund"))
        let seen: [String: JSON] = [
            "amount": .integer(5000), "currency": .string("KRW"), "unused": .integer(1234), "later_member": .integer(1),
        ]
        let shown = ProposalDescriber.facts(refund.seen, in: seen, .english)
        #expect(shown.map { $0["value"] } == ["₩5,000", "1,234 coins"], "what has no words is left out")
        let korean = ProposalDescriber.facts(refund.seen, in: seen, .korean)
        #expect(korean.map { $0["value"] } == ["₩5,000", "1,234코인"])
        let made: [String: JSON] = [
            "refund": .integer(7), "status": .string("completed"), "amount": .integer(4900),
            "code": .string("user_in_debt"),
        ]
        let outcome = ProposalDescriber.facts(refund.made, in: made, currency: "KRW", .english).map {
            $0["value"] ?? ""
        }
        #expect(outcome.prefix(3) == ["7", "completed", "₩4,900"])
        #expect(outcome.count == 4 && outcome.last?.contains("user_in_debt") == false, "\(outcome)")
        let unknown = ProposalDescriber.facts(refund.made, in: ["code": .string("of_a_newer_version")], .korean)
        #expect(unknown.map { $0["value"] } == ["거절됨"])
        #expect(ProposalDescriber.facts(refund.seen, in: ["amount": .integer(1)], .english).isEmpty, "of no currency")
        let takeBack = try #require(ProposalDescriber.of("take-back"))
        let asked = ProposalDescriber.facts(takeBack.asked, in: ["spends": .string("4120,4131")], .english)
        #expect(asked.map { $0["value"] } == ["4120, 4131"])
    }

    @Test func `a refund of a payment in dollars is shown in dollars with its worth`() throws {
        let seen: [String: JSON] = [
            "amount": .integer(1249), "currency": .string("KRW"), "fee": .integer(125), "foreign_amount": .integer(90),
            "foreign_fee": .integer(9), "foreign_currency": .string("USD"),
        ]
        let made: [String: JSON] = [
            "amount": .integer(1249), "foreign_amount": .integer(90), "foreign_currency": .string("USD"),
        ]
        for act in ["refund", "take-back"] {
            let describer = try #require(ProposalDescriber.of(act))
            let shown = ProposalDescriber.facts(describer.seen, in: seen, .english).map { $0["value"] }
            #expect(shown == ["USD 0.90 (₩1,249)", "USD 0.09 (₩125)"], "\(act)")
            let done = ProposalDescriber.facts(describer.made, in: made, .english).map { $0["value"] }
            #expect(done == ["USD 0.90 (₩1,249)"], "\(act)")
        }
        #expect(RefundOrder.decisive.contains("foreign_amount") && TakeBackOrder.decisive.contains("foreign_amount"))
        let terms = PersonDecision.alone(seen).refundTerms(5000)
        #expect(terms.paidBack == 90 && terms.amount == 1249)
    }

    @Test func `what was stored by hand has no members`() {
        #expect(JSON.members(nil) == [:] && JSON.members("[1]") == [:] && JSON.members("{") == [:])
        #expect(JSON.members(#"{"a": 1}"#) == ["a": .integer(1)])
    }
}
