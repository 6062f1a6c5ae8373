import Foundation
import Glibc
import Synchronization

/// Stands between a client and the service, and does with each request what the test says.
final class Relay: Sendable {
    /// What becomes of a request.
    enum Fate: Sendable {
        /// It reaches the service, and its answer the client.
        case pass
        /// The connection breaks before it reaches the service.
        case lose
        /// It reaches the service, but its answer gets lost.
        case loseAnswer
        /// Nothing more is heard, before it reaches the service.
        case hold
        /// It reaches the service, and nothing more is heard.
        case holdAnswer
        /// Somebody on the way answers it.
        case answer(String)
    }

    let port: Int
    private let listener: Int32
    private let state: Mutex<State>

    private struct State {
        var service: Int
        var fates: [Fate] = []
        var kind: (beginning: String, fate: Fate)?
        var requests: [String] = []
        var answered = 0
        var held: Set<Int32> = []
    }

    /// - Parameter service: the port to which requests are passed on.
    init(to service: Int) throws {
        state = Mutex(State(service: service))
        (listener, port) = try TCP.listen()
        Thread.detachNewThread { [listener, weak self] in
            while case let socket = accept(listener, nil, nil), socket >= 0 {
                Thread.detachNewThread { [weak self] in
                    self?.serve(socket)
                    close(socket)
                }
            }
            close(listener)
        }
    }

    /// Ends the thread, which closes the listener: were it closed here, the thread could go on with another's that got the
    /// same number.
    deinit { shutdown(listener, Int32(SHUT_RDWR)) }

    var url: URL { URL(string: "http://127.0.0.1:\(port)") ?? URL(filePath: "/") }
    /// The requests that came, as they were sent.
    var requests: [String] { state.withLock { $0.requests } }
    /// How many answers of the service came back here.
    var answered: Int { state.withLock { $0.answered } }

    /// Says what becomes of the next requests; those after them pass.
    func next(_ fates: Fate...) {
        state.withLock {
            $0.fates = fates
            $0.kind = nil
        }
    }

    /// Says what becomes of each request that begins with this text, such as `POST /v1/receipts`, until ``next(_:)``; others
    /// pass.
    func each(_ beginning: String, _ fate: Fate) { state.withLock { $0.kind = (beginning, fate) } }

    /// Passes further requests on to another service.
    func turn(to service: Int) { state.withLock { $0.service = service } }

    /// Breaks the connections over which nothing more was heard.
    func breakHeld() {
        state.withLock { for socket in $0.held { shutdown(socket, Int32(SHUT_RDWR)) } }
    }

    private func serve(_ socket: Int32) {
        guard let request = TCP.readMessage(socket) else { return }
        let (fate, service) = state.withLock { state in
            state.requests.append(request)
            if let kind = state.kind, request.hasPrefix(kind.beginning) { return (kind.fate, state.service) }
            return (state.fates.isEmpty ? .pass : state.fates.removeFirst(), state.service)
        }
        switch fate {
        case .lose: TCP.reset(socket)
        case .hold: hold(socket)
        case .answer(let text): TCP.write(text, to: socket)
        case .pass: if let answer = pass(request, to: service) { TCP.write(answer, to: socket) }
        case .loseAnswer:
            _ = pass(request, to: service)
            TCP.reset(socket)
        case .holdAnswer:
            _ = pass(request, to: service)
            hold(socket)
        }
    }

    /// Says nothing more until one of the two ends gives up.
    private func hold(_ socket: Int32) {
        state.withLock { _ = $0.held.insert(socket) }
        TCP.waitForEnd(socket)
        state.withLock { _ = $0.held.remove(socket) }
    }

    /// The service's answer, marked as the connection's last.
    private func pass(_ request: String, to service: Int) -> String? {
        guard let socket = TCP.connect(to: service) else { return nil }
        defer { close(socket) }
        TCP.write(request.replacing("\r\n", with: "\r\nConnection: close\r\n", maxReplacements: 1), to: socket)
        guard let answer = TCP.readMessage(socket) else { return nil }
        state.withLock { $0.answered += 1 }
        return answer
    }
}

/// Sockets on this machine.
private enum TCP {
    struct Failure: Error { let errno: Int32 }

    static func listen() throws -> (socket: Int32, port: Int) {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard withAddress(port: 0, { bind(socket, $0, $1) }) == 0, Glibc.listen(socket, 64) == 0 else {
            throw Failure(errno: errno)
        }
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket, $0, &length) }
        }
        return (socket, Int(UInt16(bigEndian: address.sin_port)))
    }

    static func connect(to port: Int) -> Int32? {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        if withAddress(port: port, { Glibc.connect(socket, $0, $1) }) == 0 { return socket }
        close(socket)
        return nil
    }

    private static func withAddress(port: Int, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    /// A request or answer, head and body; nil when the connection ended before.
    static func readMessage(_ socket: Int32) -> String? {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            let text = String(decoding: bytes, as: UTF8.self)
            if let end = text.range(of: "\r\n\r\n") {
                let head = text[..<end.upperBound]
                let length = head.firstMatch(of: /(?i)content-length: *(\d+)/).flatMap { Int($0.1) } ?? 0
                let isChunked = head.contains(/(?i)transfer-encoding: *chunked/)
                if isChunked ? text.hasSuffix("\r\n0\r\n\r\n") : bytes.count >= head.utf8.count + length { return text }
            }
            let count = recv(socket, &buffer, buffer.count, 0)
            guard count > 0 else { return nil }
            bytes += buffer[..<count]
        }
    }

    static func write(_ text: String, to socket: Int32) {
        let bytes = Array(text.utf8)
        _ = send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    /// Ends a connection as a broken one ends, so that nobody takes it for the end of an answer.
    static func reset(_ socket: Int32) {
        var now = linger(l_onoff: 1, l_linger: 0)
        setsockopt(socket, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
    }

    static func waitForEnd(_ socket: Int32) {
        var byte: UInt8 = 0
        while recv(socket, &byte, 1, 0) > 0 {}
    }
}

/// What happened, in order.
final class Log<Element: Sendable>: Sendable {
    private let elements = Mutex<[Element]>([])

    var all: [Element] { elements.withLock { $0 } }

    func add(_ element: Element) { elements.withLock { $0.append(element) } }
}
