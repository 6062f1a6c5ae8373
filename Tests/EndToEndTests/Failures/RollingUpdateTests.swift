import Glibc
import TestSupport
import Testing

/// Both processes of a service are replaced under load, as packaging/kubernetes has them replaced.
///
/// The drain is longer than there, so that a slow machine decides nothing.
@Suite(.serialized, .timeLimit(.minutes(20))) struct RollingUpdateTests {
    /// An old process is of no use any more when its clients have left it: how it ends does not matter to them.
    @Test func `no request fails while both processes are replaced`() async throws {
        try await replaceBoth(drain: "60s") { try await $0.end() }
    }

    @Test(.enabled(if: Effort.includesSlow))
    func `no request fails while both processes are replaced, and each drains to its end`() async throws {
        try await replaceBoth(drain: "30s") { old in
            let exit = try await old.process.exit()
            #expect(exit == .code(0))
            #expect(!old.process.isCutOff)
        }
    }

    private func replaceBoth(drain: String, _ end: (ServiceProcess) async throws -> Void) async throws {
        let settings = [
            "LEDGERD_ADMIN_LISTEN": "127.0.0.1:0", "LEDGERD_SHUTDOWN_DRAIN": drain, "LEDGERD_SHUTDOWN_DEADLINE": "600s",
        ]
        try await House.with { house in
            let gateway = try await house.startGateway()
            try await Balancer.with { balancer in
                func start() async throws -> ServiceProcess {
                    let process = try await house.serveProcess(at: gateway, settings)
                    try await eventually("it is ready") { try await process.readiness() == 200 }
                    balancer.add(process.port)
                    return process
                }
                let old = [try await start(), try await start()]
                let customers = try Customers(4, at: balancer.port, gateway: gateway)
                async let load: Void = customers.run()
                defer { customers.stop() }
                try await customers.goOn()
                for process in old {
                    let new = try await start()
                    say("\(new.port) is ready and gets connections", customers)
                    try await retire(process, behind: balancer, serving: customers)
                    try await end(process)
                    say("\(process.port) has ended", customers)
                    try await customers.goOn()
                }
                customers.stop()
                await load
                #expect(customers.failures.isEmpty, "\(customers.failures)")
                say("all customers have stopped", customers)
                try await expectBooks(of: house, with: customers.rounds)
            }
        }
    }

    /// Expects that the books have what so many rounds of customers asked for, and no more.
    private func expectBooks(of house: House, with rounds: Int64) async throws {
        try await house.settled()
        #expect(try await house.books.purchases == rounds)
        let spends = "SELECT count(*) FROM journal_entry WHERE kind = 'spend'"
        #expect(try await house.books.count(spends) == rounds)
        let coins = "SELECT sum(balance)::int8 FROM account WHERE code LIKE 'wallet:%'"
        #expect(try await house.books.count(coins) == rounds)
        try await house.expectSound()
    }

    /// Stops a process in Kubernetes' order, and returns when its clients have left it, while it drains.
    private func retire(
        _ old: ServiceProcess, behind balancer: Balancer, serving customers: Customers
    ) async throws {
        #expect(balancer.connections(to: old.port).open > 0, "nobody keeps a connection to it")
        old.process.signal(SIGTERM)
        say("\(old.port) gets SIGTERM", customers)
        try await customers.wait(until: "it is not ready") { try await old.readiness() == 503 }
        // Nodes and proxies learn later that it stops, and still send it new connections.
        let made = balancer.connections(to: old.port).made
        try await customers.wait(until: "it serves newcomers") { balancer.connections(to: old.port).made >= made + 4 }
        balancer.remove(old.port)
        try await customers.wait(until: "its clients have left it") { balancer.connections(to: old.port).open == 0 }
        #expect(!old.process.hasEnded, "the drain was too short: \(old.process.lastWords)")
        say("\(old.port) has no clients any more", customers)
    }

    /// Writes a line of the update's log.
    private func say(_ what: String, _ customers: Customers) {
        print("rolling update: \(what); \(customers.rounds) rounds, \(customers.failures.count) failed requests")
    }
}

extension ServiceProcess {
    /// What the readiness probe gets.
    fileprivate func readiness() async throws -> Int {
        try await #require(admin).get("/health/ready").status
    }
}
