import Foundation
import PGVerifier
import TestSupport
import Testing

@testable import Ledger
@testable import LedgerServer

/// All ways through an attempt at a charge of automatic top-up.
@Suite(.timeLimit(.minutes(20))) struct TopUpSagaTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)
    private static let asking = PendingTopUp.Asking(
        merchantUID: "order-a", amount: 1000, title: "100 Coin", billingKey: "card", at: now, vat: .atUse)

    private static func pending(
        asked: Date? = nil, mayBeUnderWay: Bool = false, reason: String = "started"
    ) -> PendingTopUp {
        PendingTopUp(
            id: 1, user: sure(UserID(rawValue: "ann")), gateway: "portone-v1",
            merchantUID: asked.map { _ in "order-a" }, attempts: 1,
            reason: reason, askedAt: asked, mayBeUnderWay: mayBeUnderWay)
    }

    private static func payment(_ status: GatewayPayment.Status) -> GatewayPayment {
        GatewayPayment(
            gateway: "portone-v1", paymentID: "imp_1", merchantUID: "order-a", status: status, amount: 1000,
            cancelledAmount: 0, cancellations: [], currency: "KRW")
    }

    private static let refusal = ChargeAnswer.refused(GatewayError(.refused, message: "no"))

    /// What a charge comes to if the events are these, and its effects by name.
    private static func run(
        _ pending: PendingTopUp, _ events: [TopUpSaga.Event]
    ) throws -> (effects: [String], end: TopUpSaga.Progress?) {
        let saga = TopUpSaga(pending: pending)
        var effect = saga.first
        var names: [String] = [name(of: effect)]
        for event in events {
            switch try saga.step(after: effect, event, at: now) {
            case .perform(let next):
                effect = next
                names.append(name(of: next))
            case .end(let progress): return (names, progress)
            }
        }
        return (names, nil)
    }

    private static func name(of effect: TopUpSaga.Effect) -> String {
        switch effect {
        case .beginAsking: "begin"
        case .charge: "charge"
        case .withdraw: "withdraw"
        case .lookUp: "look up"
        case .credit: "credit"
        case .fail(let failure): "fail \(failure.rawValue)"
        }
    }

    private struct Case {
        let pending: PendingTopUp
        let events: [TopUpSaga.Event]
        let effects: [String]
        let end: TopUpSaga.Progress
    }

    private static let earlier = now.addingTimeInterval(-60)
    private static let cases: [Case] = {
        let new = pending()
        let asked = pending(asked: earlier, mayBeUnderWay: true)
        let old = pending(asked: earlier)
        let refused = pending(asked: earlier, mayBeUnderWay: true, reason: "charge_refused")
        return [
            Case(pending: new, events: [.asking(nil)], effects: ["begin"], end: .ended),
            Case(
                pending: new,
                events: [.asking(asking), .answered(.accepted), .payments([payment(.paid)]), .credited(true)],
                effects: ["begin", "charge", "look up", "credit"], end: .ended),
            Case(
                pending: new,
                events: [.asking(asking), .answered(.accepted), .payments([payment(.failed)]), .stored],
                effects: ["begin", "charge", "look up", "fail declined"], end: .ended),
            Case(
                pending: new, events: [.asking(asking), .answered(.accepted), .payments([])],
                effects: ["begin", "charge", "look up"], end: .underWay),
            Case(
                pending: new, events: [.asking(asking), .answered(refusal), .payments([])],
                effects: ["begin", "charge", "look up"], end: .refusedOnce),
            Case(
                pending: new,
                events: [.asking(asking), .answered(refusal), .gatewayFailed(mayHaveBeenCarriedOut: false)],
                effects: ["begin", "charge", "look up"], end: .refusedOnce),
            Case(
                pending: new,
                events: [.asking(asking), .answered(refusal), .payments([payment(.paid)]), .credited(true)],
                effects: ["begin", "charge", "look up", "credit"], end: .ended),
            Case(
                pending: new, events: [.asking(asking), .gatewayFailed(mayHaveBeenCarriedOut: true)],
                effects: ["begin", "charge"], end: .unknown),
            Case(
                pending: new, events: [.asking(asking), .gatewayFailed(mayHaveBeenCarriedOut: false), .stored],
                effects: ["begin", "charge", "withdraw"], end: .notAsked),
            Case(pending: asked, events: [.payments([])], effects: ["look up"], end: .underWay),
            Case(
                pending: asked, events: [.gatewayFailed(mayHaveBeenCarriedOut: false)], effects: ["look up"],
                end: .unknown),
            Case(pending: asked, events: [.payments([payment(.ready)])], effects: ["look up"], end: .underWay),
            Case(
                pending: asked, events: [.payments([payment(.failed), payment(.paid)]), .credited(true)],
                effects: ["look up", "credit"], end: .ended),
            Case(
                pending: asked, events: [.payments([payment(.cancelled)]), .credited(false), .stored],
                effects: ["look up", "credit", "fail not_credited"], end: .ended),
            Case(
                pending: old, events: [.payments([]), .stored], effects: ["look up", "fail unknown"], end: .ended),
            Case(
                pending: old, events: [.payments([payment(.ready)])], effects: ["look up"], end: .underWay),
            Case(
                pending: old, events: [.payments([payment(.failed), payment(.unknown("X"))])], effects: ["look up"],
                end: .underWay),
            Case(
                pending: refused, events: [.payments([]), .stored], effects: ["look up", "fail charge_refused"],
                end: .ended),
        ]
    }()

    @Test(arguments: cases.indices) func `an attempt goes this way`(index: Int) throws {
        let one = Self.cases[index]
        let (effects, end) = try Self.run(one.pending, one.events)
        #expect(effects == one.effects && end == one.end)
    }

    @Test func `what was asked for is never asked for again, whatever the gateway answers`() throws {
        let payments: [[GatewayPayment]] = [
            [], [Self.payment(.paid)], [Self.payment(.failed)], [Self.payment(.ready)], [Self.payment(.unknown("X"))],
            [Self.payment(.failed), Self.payment(.ready)],
        ]
        let answers =
            payments.map(TopUpSaga.Event.payments)
            + [true, false].map { TopUpSaga.Event.gatewayFailed(mayHaveBeenCarriedOut: $0) }
        for reason in ["started", "charge_refused", "gateway_unavailable"] {
            for mayBeUnderWay in [true, false] {
                let pending = Self.pending(asked: Self.earlier, mayBeUnderWay: mayBeUnderWay, reason: reason)
                for answer in answers {
                    let (effects, end) = try Self.run(pending, [answer])
                    #expect(!effects.contains("charge") && !effects.contains("begin"))
                    if mayBeUnderWay, reason != "charge_refused", case .payments(let shown) = answer, shown.isEmpty {
                        #expect(end == .underWay, "not found proves nothing yet")
                    }
                }
            }
        }
    }

    @Test func `an event of another effect is a fault`() {
        #expect(throws: LedgerError.self) { try Self.run(Self.pending(), [.stored]) }
        #expect(throws: LedgerError.self) {
            try Self.run(Self.pending(asked: Self.earlier), [.asking(Self.asking)])
        }
    }
}
