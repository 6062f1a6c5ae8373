import Foundation
import Glibc
import Histogram
import Synchronization

/// A receiver of webhooks, which measures how long after its recording each event arrives.
///
/// It has a thread for each connection and answers at once, or never.
final class HookReceiver: Sendable {
    private struct State {
        var hangingPath: String?
        var delays = Self.noDelays

        static var noDelays: Histogram<UInt32> {
            Histogram<UInt32>(highestTrackableValue: 600_000_000, numberOfSignificantValueDigits: .three)
        }
    }

    let port: Int
    private let listener: Int32
    private let state = Mutex(State())

    private static let answer = Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".utf8)
    private static let times = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    init() throws {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        try withUnsafeMutablePointer(to: &address) { address in
            try address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                guard bind(listener, address, length) == 0, listen(listener, 1024) == 0,
                    getsockname(listener, address, &length) == 0
                else { throw HTTPConnection.Failed("listen") }
            }
        }
        port = Int(UInt16(bigEndian: address.sin_port))
        // It ends with the process.
        Thread.detachNewThread { [self] in
            while true {
                let connection = accept(listener, nil, nil)
                guard connection >= 0 else { return }
                Thread.detachNewThread { [self] in serve(connection) }
            }
        }
    }

    /// From now on, the endpoint with this path gets no answers, and is not measured.
    func hang(at path: String) { state.withLock { $0.hangingPath = path } }

    var isHanging: Bool { state.withLock { $0.hangingPath != nil } }

    /// The events that arrived since the delays were taken.
    var count: Int { state.withLock { Int($0.delays.totalCount) } }

    /// The delays in microseconds since the last call.
    @discardableResult
    func takeDelays() -> Histogram<UInt32> {
        state.withLock { state in
            defer { state.delays = State.noDelays }
            return state.delays
        }
    }

    private func serve(_ connection: Int32) {
        defer { close(connection) }
        var received: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { return }
            received += buffer[..<count]
            guard let body = try? HTTPAnswer.body(of: received[...]) else { continue }
            if keep(body, path: received.split(separator: 0x20, maxSplits: 2).dropFirst().first ?? []) {
                guard send(connection, Self.answer, Self.answer.count, Int32(MSG_NOSIGNAL)) > 0 else { return }
            }
            received.removeAll(keepingCapacity: true)
        }
    }

    /// Records the delay of an event, and returns whether to answer.
    private func keep(_ body: ArraySlice<UInt8>, path: ArraySlice<UInt8>) -> Bool {
        let now = Date()
        let path = String(decoding: path, as: UTF8.self)
        guard path != state.withLock({ $0.hangingPath }) else { return false }
        let text = String(decoding: body, as: UTF8.self).split(separator: #""recorded_at":""#).dropFirst().first
        guard let text, let recorded = try? Self.times.parse(String(text.prefix { $0 != "\"" })) else { return true }
        let delay = UInt64(max(0, now.timeIntervalSince(recorded) * 1_000_000))
        state.withLock { _ = $0.delays.record(delay) }
        return true
    }
}
