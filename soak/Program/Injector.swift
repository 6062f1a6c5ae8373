import Foundation
import Glibc
import Postgres
import SoakHistory
import TestSupport

/// Injects one fault after the other, and undoes each.
struct Injector {
    let stage: Stage
    let recorder: Recorder
    private var random: SplitMix64
    private var plan: FaultPlan
    private(set) var done: [Tally.Fault] = []
    private(set) var findings: [Violation] = []

    init(stage: Stage, recorder: Recorder, seed: UInt64, faults: [Fault]) {
        self.stage = stage
        self.recorder = recorder
        random = SplitMix64(seed: seed)
        plan = FaultPlan(faults)
    }

    /// Injects the next fault, waits until everything is whole and commits again, and notes what happened.
    mutating func injectNext() async {
        guard let fault = plan.draw(&random) else { return }
        let before = await stage.nodes.primary()
        let begun = recorder.now
        recorder.databaseFails(fault.isOfDatabase)
        do {
            try await inject(fault, before)
            try await undo()
        } catch {
            findings.append(Violation(.unsound, "\(fault.rawValue) at \(begun / 1_000_000) ms: \(error)"))
            try? await stage.nodes.heal()
        }
        recorder.databaseFails(false)
        let after = await stage.nodes.primary()
        let entry = Tally.Fault(
            name: fault.rawValue, begun: begun, ended: recorder.now, isFailover: after != nil && after != before)
        done.append(entry)
        let outage = Tally(recorder.history, faults: [entry]).outages[0]
        show(
            "\(begun / 1_000_000_000) s: \(fault.rawValue) \(before ?? "-") → \(after ?? "-"), without a commit for "
                + String(format: "%.1f s", Double(outage) / 1e9)
                + ", whole after \((entry.ended - begun) / 1_000_000_000) s")
    }

    /// Heals what is broken, and waits until all nodes serve and commits go on.
    private func undo() async throws {
        try await stage.nodes.heal()
        for service in stage.services {
            await service.signal(SIGCONT)
            try await service.moveClock(by: 0)
        }
        for service in stage.services { try await service.awaitReady(within: .seconds(60)) }
        try await awaitCommit(within: .seconds(60))
    }

    /// Waits until an act is acknowledged that began after now.
    private func awaitCommit(within patience: Duration) async throws {
        let now = recorder.now
        try await eventually("an act is acknowledged", within: patience) { recorder.lastAcknowledged > now }
    }

    private mutating func inject(_ fault: Fault, _ primary: String?) async throws {
        guard let primary else { throw Nodes.Failed(description: "there is no primary") }
        let service = stage.services[Int.random(in: 0..<stage.services.count, using: &random)]
        switch fault {
        case .killService: await service.signal(SIGKILL)
        case .freezeService:
            await service.signal(SIGSTOP)
            try await sleep(3...12)
        case .stepClock:
            try await service.moveClock(by: [-300, -30, 30, 300].randomElement(using: &random) ?? 30)
            try await service.awaitReady(within: .seconds(30))
            try await sleep(6...12)
        case .gateway: try await disturbGateway()
        case .killPrimary:
            try await stage.nodes.run("kill", primary)
            try await awaitCommit(within: .seconds(60))
        case .crashPrimary:
            try await stage.nodes.run(
                "run", primary, "sh", "-c", "kill -KILL $(head -n 1 /var/lib/postgresql/data/postmaster.pid)")
            try await awaitCommit(within: .seconds(60))
        case .freezePrimary: try await during("freeze", primary, 4...20)
        case .killEtcdLeader:
            guard let leader = try? await stage.nodes.run("leader-of-etcd") else { return }
            try await stage.nodes.run("run", leader, "pkill", "-KILL", "-x", "etcd")
            try await sleep(2...6)
        case .cutPrimary:
            try await stage.nodes.run("cut", primary)
            try await awaitCommit(within: .seconds(60))
        case .cutPrimaryIn, .cutPrimaryOut:
            try await stage.nodes.run("cut", primary, fault == .cutPrimaryIn ? "in" : "out")
            try await sleep(5...25)
        case .unplugPrimary: try await during("lose-link", primary, 1...15)
        case .slowPrimary:
            try await stage.nodes.run("slow", primary, "400kbit")
            try await sleep(5...15)
        case .fillPrimary: try await during("fill", primary, 5...15)
        case .killStandby:
            if let standby = await stage.nodes.synchronous() { try await stage.nodes.run("kill", standby) }
            try await sleep(2...8)
        case .switchover: try await stage.nodes.run("switchover")
        case .cancelCommits: try await cancelWaits(at: primary)
        case .cancelAndKill:
            try await cancelWaits(at: primary, thawing: false)
            try await stage.nodes.run("kill", primary)
            for standby in Nodes.all where standby != primary { try await stage.nodes.run("thaw", standby) }
            // If Patroni has seen that no standby is synchronous, nobody may replace the primary until it is back.
            try await sleep(15...25)
        case .terminateSessions: try await signalSessions("pg_terminate_backend", at: primary, where: "true", for: 4)
        }
    }

    private mutating func during(_ command: String, _ node: String, _ seconds: ClosedRange<Int>) async throws {
        try await stage.nodes.run(command, node)
        try await sleep(seconds)
    }

    /// How long a fault lasts.
    private mutating func sleep(_ seconds: ClosedRange<Int>) async throws {
        try await Task.sleep(for: .seconds(Int.random(in: seconds, using: &random)))
    }

    /// Stops both standbys, so that commits wait, and cancels their waits, as an impatient operator does.
    private func cancelWaits(at primary: String, thawing thaws: Bool = true) async throws {
        let standbys = Nodes.all.filter { $0 != primary }
        for standby in standbys { try await stage.nodes.run("freeze", standby) }
        try await signalSessions("pg_cancel_backend", at: primary, where: "wait_event = 'SyncRep'", for: 4)
        if thaws { for standby in standbys { try await stage.nodes.run("thaw", standby) } }
    }

    /// Cancels or ends the sessions of ledgerd every 200 ms, from inside the node.
    private func signalSessions(
        _ function: String, at node: String, where condition: String, for seconds: Int
    ) async throws {
        let sql = """
            SELECT \(function)(pid) FROM pg_stat_activity WHERE usename = 'ledgerd' AND \(condition)
            """
        let loop = "for i in $(seq \(seconds * 5)); do psql -X -q -U postgres -c \"\(sql)\" >/dev/null; sleep 0.2; done"
        try await stage.nodes.run(
            "run", node, "setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups", "sh", "-c", loop)
    }

    private mutating func disturbGateway() async throws {
        let gateway = stage.gateway
        let kinds = ["timeout", "lose_answer", "reset", "status", "truncate", "garbage", "token_expired"]
        for path in ["/payments/cancel", "/payments", "/users/getToken"] {
            let kind = kinds.randomElement(using: &random) ?? "reset"
            try await gateway.fail(path, kind, times: Int.random(in: 2...6, using: &random))
        }
        try await gateway.falsifyWebhooks([
            ["act": "duplicate", "times": 10], ["act": "hold", "times": 20], ["act": "drop", "times": 5],
        ])
        try await sleep(6...12)
        try await gateway.falsifyWebhooks([])
        try await gateway.releaseWebhooks()
    }
}
