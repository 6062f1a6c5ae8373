import CEpoll
import Foundation
import Glibc
import Histogram

/// Clients of a server.
///
/// Each has its own connection, and sends its next request when it has the response.
///
/// One thread with epoll serves all clients and reads only the status of a response. A request costs it a few
/// microseconds, a tenth of the server's cost, so the server is what is measured. `Result.clientLoad` shows the load of
/// the thread.
struct Clients: Sendable {
    let port: Int
    let count: Int

    struct Result: Sendable {
        /// Responses per second in the measured time.
        var rate = 0.0
        /// The latencies of these responses in microseconds.
        var latencies = Histogram<UInt32>(highestTrackableValue: 60_000_000, numberOfSignificantValueDigits: .three)
        /// The numbers of all requests with the expected status, also before and after the measured time.
        var done: [Int] = []
        /// The number of other responses, by status.
        var unexpected: [Int: Int] = [:]
        /// Cores in use in the measured time.
        var clientLoad = 0.0
        var serverLoad = 0.0

        /// The latency at a percentile in milliseconds.
        func latency(_ percentile: Double) -> Double { Double(latencies.valueAtPercentile(percentile)) / 1000 }

        var problems: [String] {
            unexpected.sorted { $0.key < $1.key }.map { "\($0.value) responses had status \($0.key)" }
        }

        var note: String {
            "p50 \(latency(50).text) ms, p99 \(latency(99).text) ms, cores: clients \(clientLoad.text), "
                + "ledgerd \(serverLoad.text)"
        }
    }

    /// Sends requests for some time and waits for the last responses.
    ///
    /// - Parameters:
    ///   - server: the process whose load is measured.
    ///   - request: returns the request with a number for a client; nil: no more requests.
    func run(
        _ scale: Scale, against server: pid_t,
        _ request: @escaping @Sendable (_ client: Int, _ number: Int) -> HTTPRequest?
    ) async throws -> Result {
        // A separate thread, because the loop blocks.
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(
                    with: Swift.Result {
                        try LoadCores.moveThread()
                        return try Loop(self, warmUp: scale.warmUp, seconds: scale.seconds, server, request).run()
                    })
            }
        }
    }
}

/// The loop of the thread.
private final class Loop {
    private struct Client {
        let connection: HTTPConnection
        var number = 0
        var expected = 0
        var sent: UInt64 = 0
    }

    private let request: (Int, Int) -> HTTPRequest?
    private let server: pid_t
    private let epoll = epoll_create1(0)
    private var clients: [Client]
    private var result = Clients.Result()
    private var nextNumber = 0
    private var waiting = 0
    private var counted = 0
    private let begin: UInt64
    private let end: UInt64
    private var lastCounted: UInt64
    private var loads: (client: Double, server: Double)?

    init(
        _ clients: Clients, warmUp: Double, seconds: Double, _ server: pid_t,
        _ request: @escaping (Int, Int) -> HTTPRequest?
    ) throws {
        self.request = request
        self.server = server
        self.clients = try (0..<clients.count).map { _ in Client(connection: try HTTPConnection(port: clients.port)) }
        begin = now() + UInt64(warmUp * 1e9)
        end = begin + UInt64(seconds * 1e9)
        lastCounted = begin
    }

    deinit { close(epoll) }

    func run() throws -> Clients.Result {
        for (index, client) in clients.enumerated() {
            var event = epoll_event(events: EPOLLIN.rawValue, data: epoll_data_t(u64: UInt64(index)))
            epoll_ctl(epoll, EPOLL_CTL_ADD, client.connection.socket, &event)
            try sendNext(index)
        }
        var events = [epoll_event](repeating: epoll_event(), count: 512)
        let patience = end + 60_000_000_000
        while waiting > 0 {
            let count = epoll_wait(epoll, &events, Int32(events.count), 1000)
            for event in events.prefix(Int(max(0, count))) { try answer(Int(event.data.u64)) }
            guard now() < patience else { throw HTTPConnection.Failed("\(waiting) requests got no response") }
        }
        // If the requests ran out early, or nothing was answered in the measured time, the time ends with the last
        // response.
        let measured = nextNumber >= 0 && lastCounted < end ? end - begin : max(1, lastCounted - begin)
        result.rate = Double(counted) / (Double(measured) / 1e9)
        if let loads, result.clientLoad == 0 { takeLoads(since: loads) }
        return result
    }

    private func answer(_ index: Int) throws {
        let connection = clients[index].connection
        guard try connection.receive() else { throw HTTPConnection.Failed("the server closed the connection") }
        guard let status = try connection.takeStatus() else { return }
        let client = clients[index]
        let time = now()
        waiting -= 1
        if status == client.expected {
            result.done.append(client.number)
        } else {
            result.unexpected[status, default: 0] += 1
        }
        watch(time)
        if time >= begin && (time < end || counted == 0) {
            counted += 1
            lastCounted = time
            result.latencies.record(UInt64(time - client.sent) / 1000)
        }
        if time < end { try sendNext(index) }
    }

    private func sendNext(_ index: Int) throws {
        guard nextNumber >= 0 else { return }
        guard let request = request(index, nextNumber) else {
            nextNumber = -1
            return
        }
        clients[index].number = nextNumber
        clients[index].expected = request.expected
        clients[index].sent = now()
        nextNumber += 1
        waiting += 1
        try clients[index].connection.send(request.bytes)
    }

    /// Reads the processor times at the start and at the end of the measured time.
    private func watch(_ time: UInt64) {
        if loads == nil, time >= begin {
            loads = (threadSeconds(), processSeconds(server))
        } else if let loads, time >= end, result.clientLoad == 0 {
            takeLoads(since: loads)
        }
    }

    private func takeLoads(since before: (client: Double, server: Double)) {
        let seconds = Double(now() - begin) / 1e9
        result.clientLoad = (threadSeconds() - before.client) / seconds
        result.serverLoad = (processSeconds(server) - before.server) / seconds
    }
}

/// Nanoseconds of the monotonic clock.
private func now() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

private func threadSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// The processor time of a process in seconds (proc_pid_stat(5): utime and stime, in clock ticks).
private func processSeconds(_ pid: pid_t) -> Double {
    let stat = (try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)) ?? ""
    let fields = stat.drop { $0 != ")" }.split(separator: " ")
    guard fields.count > 13, let user = Double(fields[12]), let system = Double(fields[13]) else { return 0 }
    return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
}
