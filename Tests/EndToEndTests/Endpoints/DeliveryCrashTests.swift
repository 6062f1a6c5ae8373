import Foundation
import Synchronization
import TestSupport
import Testing

/// Processes and receivers are killed; nothing is lost, and each user's events stay in order.
@Suite(.serialized, .timeLimit(.minutes(20)), .enabled(if: Effort.includesSlow)) struct DeliveryCrashTests {
    @Test func `two processes deliver what 16 clients do, each user's events in order`() async throws {
        try await HookReceiver.with { receiver in
            try await House.openProcess(HookReceiver.settings) { house, gateway, service in
                let other = try await house.serveProcess(at: gateway, HookReceiver.settings)
                for number in 0..<4 { _ = try await service.addEndpoint(receiver.url + "/\(number)") }
                try await withThrowingDiscardingTaskGroup { group in
                    for client in 0..<16 {
                        group.addTask {
                            for act in 0..<30 {
                                try await (act % 2 == 0 ? service : other).give("user-\((client + act) % 8)")
                            }
                        }
                    }
                }
                for number in 0..<4 {
                    let path = "/hooks/\(number)"
                    try await eventually("all arrive") { Set(receiver.kept(at: path).map(\.seq)).count == 480 }
                    #expect(receiver.expectOrder(at: path) == Set(1...480))
                    receiver.expectBalances(at: path)
                }
                let repeats = receiver.hooks.count - 4 * 480
                #expect(repeats == 0, "nobody was killed, and \(repeats) came twice")
            }
        }
    }

    /// `LEDGERD_TEST_KILLS` sets the number of kills.
    private static let kills = ProcessInfo.processInfo.environment["LEDGERD_TEST_KILLS"].flatMap { Int($0) } ?? 12

    @Test func `kills of deliverers and of the receiver lose nothing and break no order`() async throws {
        try await HookReceiver.with { receiver in
            // A receiver that is killed answers nothing of what it did not keep.
            let random = Mutex(SplitMix64(seed: Effort.seed))
            receiver.reply { _ in
                random.withLock { Int.random(in: 0..<50, using: &$0) } == 0 ? .status(500) : .ok
            }
            // Without a key for endpoints, the service that stays delivers nothing.
            try await House.open { house, gateway, service in
                var deliverer = try await house.serveProcess(at: gateway, HookReceiver.settings)
                _ = try await deliverer.addEndpoint(receiver.url)
                for _ in 0..<Self.kills {
                    for number in 0..<20 { try await service.give("user-\(number % 5)") }
                    try await house.kill(deliverer.process)
                    deliverer = try await house.serveProcess(at: gateway, HookReceiver.settings)
                }
                try await eventually("all are numbered") { try await house.books.unnumbered == 0 }
                let last = try await house.books.lastEvent
                try await eventually("all arrive") {
                    try await house.books.makeLanesDue()
                    return Set(receiver.hooks.map(\.seq)).count == Int(last)
                }
                #expect(receiver.expectOrder() == Set(1...last))
                receiver.expectBalances()
                #expect(try await house.books.count("SELECT count(*) FROM journal_entry") == last)
            }
        }
    }
}
