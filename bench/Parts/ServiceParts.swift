import Foundation
import LedgerTestSupport
import TestSupport

/// Receipts through the whole service: HTTP, token, gateway look-up, engine, response.
struct ReceiptsPart: ComparedPart {
    static let name = "receipts"

    func withContenders(_ scale: Scale, _ body: ([Contender]) async throws -> Void) async throws {
        try await ServiceUnderLoad.with(scale) { service in
            try await body(scale.receipts.map { contender($0, service, scale) })
        }
    }

    private func contender(
        _ presenting: Scale.Presenting, _ service: ServiceUnderLoad, _ scale: Scale
    ) -> Contender {
        let (clients, delay) = (presenting.clients, presenting.delay)
        let figure = Figures.receipts(clients: clients, delay: delay)
        let median = Figures.receiptsMedian(clients: clients, delay: delay)
        // Many clients are answered in waves, of which a short slice could count one more.
        let scale = clients > 128 || delay > 0 ? scale : scale.slice
        return Contender(part: Self.name, figures: [figure, median]) { number in
            let (result, calls, problems) = try await service.presentReceipts(
                clients: clients, delay: delay, named: "receipt-\(clients)-\(delay)-\(number)", scale)
            return [
                Sample(
                    figure: figure, value: result.rate, unit: .perSecond, problems: problems,
                    note: result.note + ", gateway calls per receipt \(calls.text)"),
                Sample(figure: median, value: result.latency(50), unit: .milliseconds, problems: problems),
            ]
        }
    }
}

/// Reads on many connections, compared with a constant response of the same server.
struct ReadsPart: ComparedPart {
    static let name = "reads"

    func withContenders(_ scale: Scale, _ body: ([Contender]) async throws -> Void) async throws {
        try await ServiceUnderLoad.with(scale) { service in
            let many = ServiceUnderLoad.reads.map { name, path, asUsers in
                let figure = Figures.read(name)
                return Contender(part: Self.name, figures: [figure]) { _ in
                    let result = try await service.read(path, asUsers: asUsers, clients: scale.readers, scale.slice)
                    return [
                        Sample(
                            figure: figure, value: result.rate, unit: .perSecond, problems: result.problems,
                            note: result.note)
                    ]
                }
            }
            let few = Contender(part: Self.name, figures: [Figures.balanceMedian]) { _ in
                let few = try await service.read("/v1/me/balance", asUsers: true, clients: 8, scale.slice)
                return [
                    Sample(
                        figure: Figures.balanceMedian, value: few.latency(50), unit: .milliseconds,
                        problems: few.problems)
                ]
            }
            try await body(many + [few])
        }
    }
}

/// A typical mix: 60 % balance reads, 25 % spends, 15 % receipts.
struct MixedPart: MeasuredPart {
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
struct MemoryPart: MeasuredPart {
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
struct StartPart: MeasuredPart {
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
