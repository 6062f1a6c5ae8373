import Foundation
import LedgerTestSupport
import TestSupport

/// Receipts through the whole service: HTTP, token, gateway look-up, engine, response.
struct ReceiptsPart: Part {
    static let name = "receipts"

    func measure(_ scale: Scale, _ report: BenchReport) async throws {
        try await ServiceUnderLoad.with(scale) { service in
            for (number, presenting) in scale.receipts.enumerated() {
                let (clients, delay) = (presenting.clients, presenting.delay)
                let (result, calls, problems) = try await service.presentReceipts(
                    clients: clients, delay: delay, named: "receipt-\(number)", scale)
                report.record(
                    Figures.receipts(clients: clients, delay: delay), result.rate, .perSecond, problems: problems,
                    note: result.note + ", gateway calls per receipt \(calls.text)")
                report.record(
                    Figures.receiptsMedian(clients: clients, delay: delay), result.latency(50), .milliseconds,
                    problems: problems)
            }
        }
    }
}

/// Reads on many connections, compared with a constant response of the same server.
struct ReadsPart: Part {
    static let name = "reads"

    func measure(_ scale: Scale, _ report: BenchReport) async throws {
        try await ServiceUnderLoad.with(scale) { service in
            for (name, path, asUsers) in ServiceUnderLoad.reads {
                let result = try await service.read(path, asUsers: asUsers, clients: scale.readers, scale)
                report.record(
                    Figures.read(name), result.rate, .perSecond, problems: result.problems, note: result.note)
            }
            let few = try await service.read("/v1/me/balance", asUsers: true, clients: 8, scale)
            report.record(Figures.balanceMedian, few.latency(50), .milliseconds, problems: few.problems)
        }
    }
}

/// A typical mix: 60 % balance reads, 25 % spends, 15 % receipts.
struct MixedPart: Part {
    static let name = "mixed"

    func measure(_ scale: Scale, _ report: BenchReport) async throws {
        try await ServiceUnderLoad.with(scale) { service in
            let (result, problems) = try await service.mixed(clients: scale.readers, named: "mixed", scale)
            report.record(
                "mixed/\(scale.readers) clients", result.rate, .perSecond, problems: problems, note: result.note)
        }
    }
}

/// The service's resident memory: before the first request, under load, and with many idle connections.
struct MemoryPart: Part {
    static let name = "memory"

    func measure(_ scale: Scale, _ report: BenchReport) async throws {
        try await ServiceUnderLoad.with(scale) { service in
            try await Task.sleep(for: .seconds(1))
            report.record(Figures.memory("idle"), service.ledgerd.memory(), .mebibytes)

            let (_, mixed) = try await service.mixed(clients: 128, named: "memory", scale)
            let (_, _, receipts) = try await service.presentReceipts(
                clients: 128, delay: 0, named: "memory-receipt", scale)
            let page = try await service.read(
                "/v1/me/statement?limit=20", asUsers: true, clients: scale.readers, scale)
            report.record(
                Figures.memory("loaded"), service.ledgerd.memory("VmHWM"), .mebibytes,
                problems: mixed + receipts + page.problems)

            let answered = try await withIdleConnections(scale.idle, to: service) { service.ledgerd.memory() }
            report.record(Figures.memory("\(scale.idle) idle connections"), answered, .mebibytes)
        }
    }

    /// Opens connections and sends one request on each.
    private func withIdleConnections<Output>(
        _ count: Int, to service: ServiceUnderLoad, _ body: () -> Output
    ) async throws -> Output {
        let connections = try (0..<count).map { _ in
            let connection = try HTTPConnection(port: service.ledgerd.port)
            let answer = try connection.ask(HTTPRequest("GET", "/health/live"))
            guard answer.status == 200 else { throw Program.Failed(description: "got status \(answer.status)") }
            return connection
        }
        try await Task.sleep(for: .milliseconds(500))
        // Fails if the server closed an idle connection to make room.
        for connection in connections { _ = try connection.ask(HTTPRequest("GET", "/health/live")) }
        return body()
    }
}

/// The time from the start of the process to the first ready response.
struct StartPart: Part {
    static let name = "start"

    func measure(_ scale: Scale, _ report: BenchReport) async throws {
        try await TestLedger.withDatabase { books in
            try await Program.inDirectory { directory in
                var times: [Double] = []
                for _ in 0..<scale.starts {
                    let start = ContinuousClock.now
                    let server = try await ServiceUnderLoad.start(
                        ["serve"], ServiceUnderLoad.settings(scale, books, gateway: 9), in: directory)
                    let answer = try HTTPConnection(port: server.port).ask(HTTPRequest("GET", "/health/ready"))
                    times.append((ContinuousClock.now - start) / .seconds(1))
                    server.process.signal(SIGTERM)
                    _ = try await server.process.exit()
                    guard answer.status == 200 else { throw Program.Failed(description: answer.body) }
                }
                if let spread = Spread(times) { report.record(Figures.ready, spread.median, .seconds) }
            }
        }
    }
}
