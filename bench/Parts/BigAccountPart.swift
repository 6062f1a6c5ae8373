import Ledger
import LedgerTestSupport
import Synchronization
import Timing

/// How long other users wait while a spend of one user's many lots is reversed.
struct BigAccountPart: ComparedPart {
    static let name = "big-account"

    func withContenders(_ scale: Scale, _ body: ([Contender]) async throws -> Void) async throws {
        try await TestLedger.withDatabase { books in
            try await Engine.fortunes(of: scale.users, in: books)
            let account = BigAccount(books: books, scale: scale)
            try await account.buy()
            let without = Contender(part: Self.name, figures: [Figures.withoutBigAccount]) { number in
                let seconds = Duration.seconds(scale.slice.seconds)
                return [
                    try await account.others(Figures.withoutBigAccount, "alone \(number)") { _ in
                        try await Time.current.sleep(for: seconds)
                        return Acknowledged()
                    }
                ]
            }
            let beside = Contender(part: Self.name, figures: [Figures.besideBigAccount]) { number in
                let spend = try await account.spend(number)
                return [
                    try await account.others(Figures.besideBigAccount, "beside \(number)") { engine in
                        try await engine.reverse(spend, number).1
                    }
                ]
            }
            try await body([without, beside])
        }
    }
}

/// A user with many lots of one coin each, among others.
private struct BigAccount: Sendable {
    let books: TestLedger
    let scale: Scale

    private static let acts = Acts(users: 1, people: "big", tag: "big")
    /// What the others do: 32 spends in 50 ms, which leaves the machine most of its time.
    private static let pace = Paced(lanes: 32, interval: .milliseconds(50))

    func buy() async throws {
        _ = try await Engine.perform(scale.lots, in: books, Engine.Shape(), users: scale.users, tag: "lots") {
            engine, number in
            ((), try await engine.submit(Self.acts.lot(number)))
        }
    }

    /// Spends all coins.
    ///
    /// - Returns: the spend's entry.
    func spend(_ number: Int) async throws -> Int64 {
        guard let coins = Coins(Int64(scale.lots)) else { throw Program.Failed(description: "lots must be positive") }
        return try await Engine.with(books, Engine.Shape(), users: scale.users, tag: "all") { engine in
            try await engine.done(Self.acts.spend(coins, number)).journalEntryID
        }
    }

    /// Measures the others' p99 from the beginning to the end of some work.
    ///
    /// Work that fails makes the value void.
    func others(
        _ figure: String, _ tag: String, _ work: (Engine) async throws -> Acknowledged
    ) async throws -> Sample {
        let (result, problems) = try await Conservation.observing(books) {
            try await Engine.with(books, Engine.Shape(), users: scale.users, tag: tag) { engine in
                let end = End()
                async let others = Self.pace.run(until: { end.isOver }) { lane, serial in
                    try await engine.spend(serial * Self.pace.lanes + lane).1
                }
                let start = Time.current.instant
                var acknowledged = Acknowledged()
                var failure: [String] = []
                do {
                    acknowledged = try await work(engine)
                } catch {
                    failure = ["the reversal failed: \(String(reflecting: error))"]
                }
                let time = Time.current.instant - start
                end.set()
                let done = try await others
                for one in done { acknowledged += one.output }
                return ((delays: done.map(\.delay), time: time, failure: failure), acknowledged)
            }
        }
        let p99 = (result.delays.percentile(99) ?? .zero) / .milliseconds(1)
        return Sample(
            figure: figure, value: p99, unit: .milliseconds, problems: result.failure + problems,
            note: "\(result.delays.count) spends in \((result.time / .seconds(1)).text) s")
    }

    private final class End: Sendable {
        private let over = Mutex(false)

        var isOver: Bool { over.withLock { $0 } }

        func set() { over.withLock { $0 = true } }
    }
}
