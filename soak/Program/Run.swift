import Foundation
import SoakHistory
import Synchronization
import TestSupport

/// One run, from the first client to the last check.
struct Run {
    let stage: Stage
    let seed: UInt64
    let minutes: Double
    let faults: [Fault]
    let count: Int?
    let clients: Int
    let pause: Duration

    /// Runs, and returns what happened.
    ///
    /// Errors are findings: what was recorded before them still counts.
    func record() async -> Record {
        var record = Record(seed: seed, minutes: minutes, isFaulty: !faults.isEmpty)
        let recorder = Recorder()
        let isOver = Mutex(false)
        let crowd = Crowd(stage: stage, recorder: recorder, seed: seed, pause: pause) { isOver.withLock { $0 } }
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<clients / 2 { group.addTask { await crowd.live(number) } }
            for service in stage.services { group.addTask { await crowd.tick(at: service.number) } }
            let begun = ContinuousClock.now
            (record.faults, record.findings) = await injectFaults(recorder)
            record.minutes = (ContinuousClock.now - begun) / .seconds(60)
            isOver.withLock { $0 = true }
            await group.waitForAll()
        }
        do {
            try await Aftermath(stage: stage, recorder: recorder, crowd: crowd).examine(&record)
        } catch {
            record.findings.append(Violation(.unsound, "after the run: \(error)"))
        }
        record.history = recorder.history
        record.failoverReads = recorder.failoverReads
        await stage.end()
        return record
    }

    private func injectFaults(_ recorder: Recorder) async -> ([Tally.Fault], [Violation]) {
        var injector = Injector(stage: stage, recorder: recorder, seed: seed, faults: faults)
        let end = ContinuousClock.now + .seconds(minutes * 60)
        // Books without faults first.
        try? await Task.sleep(for: .seconds(3))
        while .now < end, injector.done.count < count ?? .max {
            if faults.isEmpty {
                try? await Task.sleep(until: end)
            } else {
                await injector.injectNext()
                // Some acts between two faults.
                try? await Task.sleep(for: .seconds(2))
            }
        }
        return (injector.done, injector.findings)
    }
}

/// The clients of a run.
///
/// A user leaves after some time and another comes, so that histories stay short.
final class Crowd: Sendable {
    private let stage: Stage
    private let recorder: Recorder
    private let seed: UInt64
    private let pause: Duration
    private let isOver: @Sendable () -> Bool
    private let shoppers = Mutex<[Shopper]>([])

    init(stage: Stage, recorder: Recorder, seed: UInt64, pause: Duration, isOver: @escaping @Sendable () -> Bool) {
        self.stage = stage
        self.recorder = recorder
        self.seed = seed
        self.pause = pause
        self.isOver = isOver
    }

    /// Two clients of one user after the other, until the run is over.
    func live(_ place: Int) async {
        var generation = 0
        while !isOver() {
            let name = "user-\(place)-\(generation)"
            guard let user = await user(name) else { continue }
            let base = seed &+ UInt64(place * 1_000_003 + generation * 7)
            let pair = (0..<2).map { number in
                Shopper(
                    user, number: number, seed: base &+ UInt64(number) &* 0x9e37_79b9, stage: stage,
                    recorder: recorder, pause: pause, others: { [self] in lastUsers }, isOver: isOver)
            }
            shoppers.withLock { $0.append(pair[0]) }
            async let other: Void = pair[1].live(acts: 150)
            await pair[0].live(acts: 150)
            await other
            generation += 1
        }
    }

    /// Those that came last, most of whom are there.
    private var lastUsers: [String] { shoppers.withLock { $0.suffix(16).map(\.user.name) } }

    /// A client that asks one service only.
    func tick(at service: Int) async {
        var generation = 0
        while !isOver(), let user = await user("tick-\(service)-\(generation)") {
            let shopper = Shopper(
                user, number: 0, seed: seed, stage: stage, recorder: recorder, pause: pause, onlyAt: service,
                isOver: isOver)
            await shopper.tick(acts: 500)
            generation += 1
        }
    }

    private func user(_ name: String) async -> Shopper.User? {
        guard let token = try? await token(of: name, scope: "user") else { return nil }
        return Shopper.User(
            name: name, token: token, serviceToken: stage.settings["SERVICE_TOKEN"] ?? "", services: stage.services)
    }

    /// Repeats acts of the last users.
    func repeatActs() async {
        let last = shoppers.withLock { Array($0.suffix(12)) }
        await withTaskGroup(of: Void.self) { group in
            for shopper in last { group.addTask { await shopper.repeatAll() } }
        }
    }

    private func token(of user: String, scope: String) async throws -> String {
        let minted = try await stage.ledgerd(["token", "--sub", user, "--scope", scope, "--ttl", "1d"])
        return minted.text.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
