import Foundation
import Synchronization
import TestSupport
import Testing

/// Processes that publish are killed under load; a reader keeps what it gets.
@Suite(.serialized, .timeLimit(.minutes(20)), .enabled(if: Effort.includesSlow)) struct EventKillTests {
    /// Set `LEDGERD_TEST_KILLS` for more.
    private static let kills = ProcessInfo.processInfo.environment["LEDGERD_TEST_KILLS"].flatMap { Int($0) } ?? 8

    @Test func `what a reader kept equals the journal, whenever publishers are killed under load`() async throws {
        try await House.with { house in
            let pair = Pair(
                first: try await house.serveProcess(), second: try await house.serveProcess())
            let load = Load()
            let reader = Reader()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for client in 0..<16 { group.addTask { await load.act(as: client, on: pair) } }
                group.addTask { try await reader.follow(pair) }
                for kill in 0..<Self.kills {
                    let before = await reader.count
                    try await eventually("events come") { await reader.count > before + 20 }
                    try await house.kill(pair[kill].process)
                    pair[kill] = try await house.serveProcess()
                }
                load.stop()
                try await eventually("the reader has everything") {
                    let entries = try await house.books.count("SELECT count(*) FROM journal_entry")
                    return await Int64(reader.count) == entries && load.isOver
                }
                await reader.stop()
                group.cancelAll()
                try? await group.waitForAll()
            }
            let kept = await reader.kept
            #expect(kept.map { $0["seq"].integer ?? 0 } == Array(1...Int64(kept.count)))
            let ids = Set(kept.compactMap { $0["data"]["journal_entry_id"].integer })
            #expect(ids.count == kept.count)
            var balances: [String: Int64] = [:]
            for event in kept {
                guard let user = event["user"].text else { continue }
                let (change, balance) = (event["data"]["change"], event["data"]["balance"])
                let moved = ["paid", "bonus", "held"].reduce(Int64(0)) { $0 + (change[$1].integer ?? 0) }
                #expect((balances[user] ?? 0) + moved == balance["total"].integer, "\(event)")
                balances[user] = balance["total"].integer
            }
            #expect(balances.count == 8)
            for (user, total) in balances {
                let answer = try await pair[0].get("/v1/users/\(user)/balance", as: Token.service())
                #expect(answer.json["total"].integer == total)
            }
            try await house.expectSound()
        }
    }
}

/// Two services, of which each may be replaced.
private final class Pair: Sendable {
    private let services: Mutex<[ServiceProcess]>

    init(first: ServiceProcess, second: ServiceProcess) { services = Mutex([first, second]) }

    subscript(number: Int) -> ServiceProcess {
        get { services.withLock { $0[number % 2] } }
        set { services.withLock { $0[number % 2] = newValue } }
    }
}

/// Clients that grant, hold and spend; a killed service is asked again under the same key.
private final class Load: Sendable {
    private let isStopped = Atomic(false)
    private let running = Atomic(0)

    var isOver: Bool { running.load(ordering: .relaxed) == 0 }

    func stop() { isStopped.store(true, ordering: .relaxed) }

    func act(as client: Int, on pair: Pair) async {
        running.add(1, ordering: .relaxed)
        defer { running.subtract(1, ordering: .relaxed) }
        var round = 0
        while !isStopped.load(ordering: .relaxed) {
            round += 1
            let (user, key) = ("user-\((client + round) % 8)", "\(client)-\(round)")
            await post("/v1/users/\(user)/grants", #"{"coins": 5, "reason": "x"}"#, "g-\(key)", pair, client + round)
            await post("/v1/users/\(user)/spends", #"{"coins": 2}"#, "s-\(key)", pair, client + round + 1)
        }
    }

    private func post(_ path: String, _ body: String, _ key: String, _ pair: Pair, _ number: Int) async {
        for attempt in 0..<2 {
            if let answer = try? await pair[number + attempt].post(path, body, key: key), answer.status < 500 { return }
        }
    }
}

/// Follows the events through whichever service is there, and keeps what it gets.
private actor Reader {
    private(set) var kept: [JSON] = []
    private var next: Int64 = 0
    private var isStopped = false

    var count: Int { kept.count }

    func stop() { isStopped = true }

    func follow(_ pair: Pair) async throws {
        var number = 0
        while !isStopped {
            number += 1
            guard
                let page = try? await pair[number].get("/v1/events?after=\(next)&wait=2&limit=50", as: Token.events()),
                page.status == 200, let after = page.json["next"].integer
            else { continue }
            kept += page.json["events"].elements
            next = after
        }
    }
}
