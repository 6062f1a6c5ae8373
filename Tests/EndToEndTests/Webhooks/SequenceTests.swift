import TestSupport
import Testing

/// In whatever order the receipt and the gateway's events come, and whichever are lost, the books end as the gateway.
@Suite(.serialized, .timeLimit(.minutes(20))) struct SequenceTests {
    /// What the service hears of a payment.
    private enum Message: Int, CaseIterable, Sendable {
        case receipt, ready, paid, paidAgain, cancelled

        /// How far the gateway must have come before it can say so.
        var stage: Int { [0, 0, 1, 1, 2][rawValue] }
        /// In V1's words, and in V2's.
        var status: String { ["", "ready", "paid", "paid", "cancelled"][rawValue] }
        var type: String { "Transaction." + ["", "Ready", "Paid", "Paid", "Cancelled"][rawValue] }
    }

    /// A payment and what is heard of it, in this order; of the lost messages nothing is.
    private struct Story: Sendable {
        let version: Version
        let user: String
        let payment: Payment
        let messages: [Message]
        let lost: Set<Message>
    }

    @Test(arguments: Version.allCases)
    func `every sequence of a cancelled payment ends without coins`(_ version: Version) async throws {
        try await Self.open { house, gateway, service in
            let stories = Self.stories(version, of: Message.allCases)
            #expect(stories.count == (Effort.includesSlow ? 120 : 60))
            try await Self.tell(stories, gateway, service)
            try await Self.settle(house, gateway) {
                let standing = try await house.books.count("SELECT count(*) FROM purchase WHERE status <> 'refunded'")
                return try await standing + house.books.count(Self.walletCoins) == 0
            }
            for story in stories { #expect(try await service.coins(of: story.user) == 0, "\(story)") }
            // Some were credited before they were cancelled, and those presented after were not.
            #expect((1...60).contains(try await house.books.purchases))
            #expect(try await service.findings().isEmpty)
        }
    }

    @Test(arguments: Version.allCases)
    func `every sequence of a paid payment ends in one purchase`(_ version: Version) async throws {
        try await Self.open { house, gateway, service in
            let stories = Self.stories(version, of: Message.allCases.filter { $0 != .cancelled })
            #expect(stories.count == 24)
            try await Self.tell(stories, gateway, service)
            try await Self.settle(house, gateway) {
                let coins = try await house.books.count(Self.walletCoins)
                return try await house.books.purchases == 24 && coins == 2400
            }
            for story in stories { #expect(try await service.coins(of: story.user) == 100, "\(story)") }
            #expect(try await service.findings().isEmpty)
        }
    }

    /// Lends a house in which what no event reported is found within seconds.
    private static func open(_ body: (House, Gateway, Service) async throws -> Void) async throws {
        try await House.with { house in
            let gateway = try await house.startGateway()
            let settings = Hooks.v2Settings(at: gateway).merging(["LEDGERD_SWEEP_INTERVAL": "1s"]) { $1 }
            try await body(house, gateway, try await house.serve(at: gateway, settings))
        }
    }

    private static let walletCoins =
        "SELECT coalesce(sum(credits - debits), 0)::int8 FROM account WHERE code LIKE 'wallet:%'"

    /// Waits until nothing waits and the books are as they should be, and sees that another sweep leaves them so.
    private static func settle(
        _ house: House, _ gateway: Gateway, _ isRight: () async throws -> Bool
    ) async throws {
        try await eventually("the books are as the gateway", every: .milliseconds(500)) {
            try await house.books.makeAllDue()
            guard try await isRight(), try await house.books.receipts("waiting") == 0 else { return false }
            return try await house.books.events("waiting") == 0
        }
        // When the second sweep after this begins, the first is over.
        let swept = try await sweeps(of: gateway)
        try await eventually("a whole sweep is made") { try await sweeps(of: gateway) >= swept + 2 }
        #expect(try await isRight())
        try await house.expectSound()
    }

    /// How many sweeps have begun: each begins with the first page of V1's payments.
    private static func sweeps(of gateway: Gateway) async throws -> Int {
        try await gateway.listings().count {
            $0["path"] == "/payments/status/all" && $0["query"].text?.contains(/(^|&)page=1(&|$)/) ?? false
        }
    }

    /// One story for each order; in every other one each event is lost as often as not.
    ///
    /// In the fast tier, of the many orders with a cancellation every other pair is V1's, and the others are V2's.
    private static func stories(_ version: Version, of messages: [Message]) -> [Story] {
        var random = SplitMix64(seed: Effort.seed)
        let stories = permutations(of: messages).enumerated().map { number, order in
            let events = messages.filter { $0 != .receipt }
            let lost = number % 2 == 0 ? [] : Set(events.filter { _ in Bool.random(using: &random) })
            return Story(
                version: version, user: "user-\(number)", payment: .unmade(), messages: order, lost: lost)
        }
        guard !Effort.includesSlow, messages.contains(.cancelled) else { return stories }
        return stories.enumerated().filter { $0.offset / 2 % 2 == (version == .v1 ? 0 : 1) }.map(\.element)
    }

    private static func permutations(of messages: [Message]) -> [[Message]] {
        guard !messages.isEmpty else { return [[]] }
        return messages.flatMap { first in
            permutations(of: messages.filter { $0 != first }).map { [first] + $0 }
        }
    }

    private static func tell(_ stories: [Story], _ gateway: Gateway, _ service: Service) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for story in stories { group.addTask { try await tell(story, gateway, service) } }
            try await group.waitForAll()
        }
    }

    private static func tell(_ story: Story, _ gateway: Gateway, _ service: Service) async throws {
        let payment = story.payment
        try await gateway.pay("1000", #", "status": "ready", "version": "\#(story.version.rawValue)""#, as: payment)
        var stage = 0
        for message in story.messages {
            while stage < message.stage {
                stage += 1
                try await gateway.change(payment, to: ["ready", "paid", "cancelled"][stage])
            }
            if message == .receipt {
                let answer = try await present(story, service)
                let isRefused = stage == 2 && answer.code == "payment_cancelled"
                #expect([200, 201, 202].contains(answer.status) || isRefused, "\(story): \(answer)")
            } else if !story.lost.contains(message) {
                let answer = try await tell(message, of: story, service)
                #expect(answer.status == 200, "\(story): \(answer)")
            }
        }
    }

    private static func present(_ story: Story, _ service: Service) async throws -> Answer {
        switch story.version {
        case .v1: try await service.present(story.payment, by: story.user)
        case .v2: try await service.present(paymentID: story.payment.merchantUID, by: story.user)
        }
    }

    /// V2 sends the same message again under its old id.
    private static func tell(_ message: Message, of story: Story, _ service: Service) async throws -> Answer {
        let payment = story.payment
        return switch story.version {
        case .v1: try await service.tellV1(Hooks.v1(payment, message.status))
        case .v2:
            try await service.tellV2(
                SignedHook(message.type, paymentID: payment.merchantUID, id: payment.impUID + message.status))
        }
    }
}
