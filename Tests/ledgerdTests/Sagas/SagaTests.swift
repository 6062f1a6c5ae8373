import Foundation
import Ledger
import TestSupport
import Testing

@testable import LedgerServer

/// Every interleaving of the sagas that a story allows, with its faults, keeps the rules (docs/decisions/0130-sagas.md).
@Suite(.serialized, .timeLimit(.minutes(20))) struct SagaTests {
    /// The most states of a walk; `LEDGERD_WALK_STATES=1000000` walks further.
    private static func bound(of story: String) -> Int {
        if let bound = ProcessInfo.processInfo.environment["LEDGERD_WALK_STATES"].flatMap({ Int($0) }) { return bound }
        return Effort.count(least[story] ?? 5_000, upTo: 100_000)
    }

    /// Stories that are walked further: until each of their guards was needed, or to the end.
    private static let least = [
        "a failed payment without an order is paid late": 29_000,
        "two users present a payment without an order": 7_000,
        "both APIs show the payment of an order": 19_000,
        "an order is paid and cancelled in the console": 20_000,
        "a refund meets a cancellation in the console": 11_000,
        "a purchase is cancelled in two parts": 10_000,
        "a purchase is cancelled, and the events are signed": 25_000,
    ]

    @Test(arguments: Story.all.keys.sorted())
    func `every interleaving keeps the rules`(_ name: String) throws {
        let story = try #require(Story.all[name])
        let walk = Walk(try SagaWorld(story), limit: Self.bound(of: name))
        print("\(name): \(walk.description)")
        if let violation = walk.violation {
            Issue.record("\(violation.rule):\n\(violation.path.joined(separator: "\n"))")
        }
        #expect(walk.states > 100)
    }

    @Test(arguments: Guard.allCases)
    func `without a guard, a rule is broken`(_ guardian: Guard) throws {
        let story = try #require(Story.all[guardian.story])
        let walk = Walk(try SagaWorld(story, without: guardian), limit: Self.bound(of: guardian.story))
        let violation = try #require(walk.violation, "\(guardian.story) keeps the rules without \(guardian.rawValue)")
        print("without \(guardian.rawValue) (\(walk.states) states): \(violation.rule)")
        for (number, step) in violation.path.enumerated() { print("  \(number + 1). \(step)") }
    }
}

extension Guard {
    /// The story that shows what the guard is for.
    fileprivate var story: String {
        switch self {
        case .onlyTheGatewaySaysPaid, .receiptsAreKept, .unknownCommitsAreErrors, .readsAreConfirmed,
            .onePurchasePerPayment:
            "an order is paid while its receipt is presented twice"
        case .refusedReceiptsAreTakenUpAgain, .theLastTakerDecides: "a failed payment without an order is paid late"
        case .otherNamesAreKnown: "both APIs show the payment of an order"
        case .claims: "two users present a payment without an order"
        case .webhooksAreStored: "an order is paid while its receipt is presented twice"
        case .cancelledIsLookedAtAgain: "an order is paid and cancelled in the console"
        case .clawBackComparesTotals, .newsKeepsEventsOpen: "a purchase is cancelled in two parts"
        case .acceptedIsNotRepeated, .underWayIsNotRepeated, .oneAsks: "a refund is accepted"
        case .firstRefusalIsLookedAtAgain, .lookUpBeforeRepeat: "a refund is refused"
        case .paymentIsReviewedAfterRefusal, .clawBackLeavesPendingRefund, .reviewsBeginAgain:
            "a refund meets a cancellation in the console"
        }
    }
}

extension Story {
    static let all: [String: Story] = [
        "an order is paid while its receipt is presented twice": Story(
            presentations: [(.ann, 0), (.ann, 0)], changes: [(0, .pay)],
            faults: [.crash, .unconfirmed, .timeout, .duplicate, .stall], mostFaults: 1),
        "a failed payment without an order is paid late": Story(
            hasOrder: false, presentations: [(.ann, 0)], changes: [(0, .fail), (0, .pay)],
            faults: [.crash, .unconfirmed, .timeout, .duplicate, .stall], mostFaults: 1),
        "two users present a payment without an order": Story(
            hasOrder: false, presentations: [(.ann, 0), (.bob, 0)], changes: [(0, .pay)], hasGrace: true),
        "an order is paid twice": Story(
            payments: [.ready, .ready], presentations: [(.ann, 1)], changes: [(0, .pay), (1, .pay)],
            faults: [.crash], mostFaults: 1),
        "both APIs show the payment of an order": Story(
            isInBoth: true, presentations: [(.ann, 0), (.ann, ModelGateway.twin)]
        ).paid,
        "both APIs show an order that is paid late": Story(
            isInBoth: true, presentations: [(.ann, ModelGateway.twin), (.bob, 0)], changes: [(0, .pay)],
            faults: [.crash, .unconfirmed, .timeout, .duplicate, .stall], mostFaults: 1),
        "two users present a payment without an order under two names": Story(
            hasOrder: false, isInBoth: true, presentations: [(.ann, 0), (.bob, ModelGateway.twin)],
            changes: [(0, .pay)], hasGrace: true),
        "a purchase is cancelled in two parts, and both APIs tell it": Story(
            isInBoth: true, changes: [(0, .cancel(300)), (0, .cancel(700))], isCredited: true,
            faults: [.crash, .unconfirmed, .loss], mostFaults: 1
        ).paid,
        "an order is paid and cancelled in the console": Story(
            presentations: [(.ann, 0)], changes: [(0, .pay), (0, .cancel(1000))],
            faults: [.crash, .unconfirmed, .timeout, .duplicate, .stall], mostFaults: 1),
        "an order is paid and cancelled in part": Story(
            presentations: [(.ann, 0)], changes: [(0, .pay), (0, .cancel(300))],
            faults: [.crash, .unconfirmed, .timeout], mostFaults: 1),
        "a purchase is cancelled in two parts": Story(
            changes: [(0, .cancel(300)), (0, .cancel(700))],
            isCredited: true, faults: Set(Fault.allCases), mostFaults: 1
        ).paid,
        "a purchase is cancelled and a webhook is lost": Story(
            changes: [(0, .cancel(300)), (0, .cancel(700))], isCredited: true, sweeps: true, faults: [.loss, .crash],
            mostFaults: 2
        ).paid,
        "a purchase is cancelled, and the events are signed": Story(
            changes: [(0, .cancel(300)), (0, .cancel(700))], isCredited: true, isSigned: true,
            faults: [.crash, .unconfirmed, .duplicate], mostFaults: 2
        ).paid,
        "a refund gets no response": Story(
            refunds: [40], isCredited: true, faults: [.timeout, .crash, .stall, .unconfirmed], mostFaults: 2
        ).paid,
        "a refund is accepted": Story(
            refunds: [40], isCredited: true, faults: [.timeout, .acceptance, .stall], mostFaults: 2
        ).paid,
        "a refund is refused": Story(
            refunds: [40], isCredited: true, faults: [.timeout, .crash, .refusal], mostFaults: 2
        ).paid,
        "a refund is refused, and carried out long after": Story(
            refunds: [40], isCredited: true, areRefusalsLate: true, faults: [.refusal], mostFaults: 1
        ).paid,
        "a refund meets a cancellation in the console": Story(
            refunds: [40], changes: [(0, .cancel(1000))], isCredited: true,
            faults: [.timeout, .crash, .loss, .unconfirmed], mostFaults: 1
        ).paid,
        "two refunds": Story(
            refunds: [40, 60], changes: [(0, .cancel(300))], isCredited: true, faults: [.timeout, .crash], mostFaults: 1
        ).paid,
    ]

    /// The story with the first payment paid.
    private var paid: Story {
        var story = self
        story.payments[0] = .paid
        return story
    }
}
