import EndToEndSupport
import Foundation
import LedgerClient
import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(20))) struct EventSequenceTests {
    @Test func `events are followed from a place on, whatever happens to a response`() async throws {
        try await Shop.open { shop in
            let service = shop.other()
            let reader = shop.client(Token.events())
            for number in 1...3 {
                _ = try await service.grant(GrantRequest(coins: 5, reason: "x"), to: "ann", key: "g-\(number)")
            }
            var kept: [EventBody] = []
            for try await event in reader.events() {
                kept.append(event)
                if kept.count == 3 { break }
            }
            #expect(kept.map(\.seq) == [1, 2, 3])
            #expect(kept.map(\.type) == Array(repeating: "coins.granted", count: 3))
            #expect(kept.last?.data.balance == (try await service.balances(of: ["ann"]).first))
            #expect(try await reader.event(2) == kept[1])

            shop.relay.next(.loseAnswer)
            let later = Task {
                var events: [EventBody] = []
                for try await event in reader.events(after: 2, user: "ann") {
                    events.append(event)
                    if events.count == 2 { break }
                }
                return events
            }
            _ = try await service.spend(SpendRequest(coins: 7, reference: "song:1"), of: "ann", key: "s")
            let more = try await later.value
            #expect(more.map(\.seq) == [3, 4])
            #expect(more.last?.data.change == CoinChangeBody(paid: 0, bonus: -7, held: 0, debt: 0))
            #expect(more.last?.data.lots?.reduce(0) { $0 + $1.coins } == 7)
        }
    }

    @Test func `a reader that is cancelled while it waits ends`() async throws {
        try await Shop.open { shop in
            let reader = shop.client(Token.events())
            let waiting = Task { for try await _ in reader.events() {} }
            try await eventually("it waits") {
                try await shop.service.get("/metrics").text.contains("ledgerd_event_readers 1")
            }
            waiting.cancel()
            await #expect(throws: CancellationError.self) { try await waiting.value }
        }
    }
}
