import Foundation
import Glibc

/// A TCP proxy on loopback in front of the test server, which fails on request.
///
/// Every connection has two threads that move bytes. A fault is armed for the next time its trigger is seen, on any
/// connection, and then disarmed.
///
/// `@unchecked Sendable`: everything that changes is guarded by `condition`.
package final class FaultProxy: @unchecked Sendable {
    /// The port on 127.0.0.1.
    package let port: Int
    private var upstream: (host: String, port: Int)
    private let condition = NSCondition()
    private var listener: Int32
    private var connections: [Int: Pair] = [:]
    private var accepted = 0
    private var isStalled = false
    private var armed: Fault?
    private var fired = 0

    /// What is to go wrong.
    package struct Fault: Sendable {
        /// When it goes wrong.
        package enum Trigger: Sendable {
            /// The client sends bytes that contain these (any, when empty); they do not reach the server.
            ///
            /// A statement's text is on the wire only when it is prepared or sent by `execute`.
            case clientSends(String)
            /// The server sends bytes that contain these (any, when empty); they do not reach the client.
            ///
            /// `COMMIT` is the tag of every commit's reply: the transaction is committed, and the client can't know.
            case serverSends(String)
            /// The same, on a connection on which the client has sent the bytes `to` since this was armed.
            case serverReplies(String, to: String)
            /// The client has sent so many bytes; the server gets exactly these.
            case clientHasSent(bytes: Int)
        }

        /// What then happens to the connection.
        package enum Effect: Sendable {
            /// It is reset, on both sides.
            case cut
            /// Nothing moves any more in either direction, on all connections, until ``FaultProxy/resume()``.
            case stall
            /// Nothing moves any more on this connection, in either direction; neither side learns of it.
            case silence
        }

        let trigger: Trigger
        let effect: Effect
    }

    private struct Pair {
        let client: Int32
        let server: Int32
        var clientBytes = 0
        /// Whether the client has sent what the armed fault waits for.
        var hasAsked = false
        var isSilent = false
    }

    /// Starts a proxy in front of a server.
    package init(_ server: TestServer) throws {
        upstream = server.address
        (listener, port) = try Sockets.listen(port: 0)
        startAccepting(listener)
    }

    /// Lends a proxy, and stops it.
    package static func with<Output>(
        _ server: TestServer, _ body: (FaultProxy) async throws -> Output
    ) async throws -> Output {
        let proxy = try FaultProxy(server)
        defer { proxy.stop() }
        return try await body(proxy)
    }

    /// How many connections were accepted so far.
    package var acceptedConnections: Int {
        condition.withLock { accepted }
    }

    /// How many connections are open now.
    package var openConnections: Int {
        condition.withLock { connections.count }
    }

    /// How many armed faults have happened.
    package var firedFaults: Int {
        condition.withLock { fired }
    }

    /// Arms a fault, in the place of one that has not happened yet.
    package func arm(_ effect: Fault.Effect, when trigger: Fault.Trigger) {
        condition.withLock {
            armed = Fault(trigger: trigger, effect: effect)
            for number in connections.keys { connections[number]?.hasAsked = false }
        }
    }

    /// Moves nothing from now on; new connections are accepted and stay silent.
    package func stall() {
        condition.withLock { isStalled = true }
    }

    /// Moves what has been held back, and what comes.
    package func resume() {
        condition.withLock {
            isStalled = false
            for number in connections.keys { connections[number]?.isSilent = false }
            condition.broadcast()
        }
    }

    /// Resets every connection.
    package func cutAll() {
        condition.withLock {
            connections.values.forEach { cut($0) }
            condition.broadcast()
        }
    }

    /// Refuses new connections, as a server that is not there; those that exist go on.
    package func refuse() {
        condition.withLock {
            if listener >= 0 { Sockets.endListening(listener) }
            listener = -1
        }
    }

    /// Leads new connections to another server, as a name does whose address has changed.
    package func lead(to server: TestServer) {
        condition.withLock { upstream = server.address }
    }

    /// Accepts new connections again.
    package func accept() throws {
        let (socket, _) = try Sockets.listen(port: port)
        condition.withLock { listener = socket }
        startAccepting(socket)
    }

    /// Ends everything.
    package func stop() {
        refuse()
        resume()
        cutAll()
    }
}

extension FaultProxy {
    private func startAccepting(_ listener: Int32) {
        Thread.detachNewThread { [self] in
            while true {
                let client = Glibc.accept(listener, nil, nil)
                if client < 0 && errno == EINTR { continue }
                if client < 0 { break }
                connect(client)
            }
            close(listener)
        }
    }

    private func connect(_ client: Int32) {
        let upstream = condition.withLock { self.upstream }
        guard let server = Sockets.connect(host: upstream.host, port: upstream.port) else {
            Sockets.reset(client)
            close(client)
            return
        }
        let number = condition.withLock {
            accepted += 1
            connections[accepted] = Pair(client: client, server: server)
            return accepted
        }
        let group = DispatchGroup()
        for isFromClient in [true, false] {
            group.enter()
            Thread.detachNewThread { [self] in
                move(number, from: isFromClient ? client : server, to: isFromClient ? server : client, isFromClient)
                group.leave()
            }
        }
        Thread.detachNewThread { [self] in
            group.wait()
            condition.withLock { connections[number] = nil }
            close(client)
            close(server)
        }
    }

    /// Moves bytes in one direction until either side ends.
    private func move(_ number: Int, from source: Int32, to target: Int32, _ isFromClient: Bool) {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = read(source, &buffer, buffer.count)
            if count < 0 && errno == EINTR { continue }
            if count <= 0 { break }
            guard let allowed = admit(buffer[..<count], of: number, isFromClient) else { break }
            if !Sockets.writeAll(target, buffer[..<allowed]) { break }
        }
        // Half a connection is of no use to this protocol: the other direction ends as well.
        shutdown(source, Int32(SHUT_RDWR))
        shutdown(target, Int32(SHUT_RDWR))
    }

    /// How many of the bytes may pass, after waiting for as long as everything is stalled; `nil` when they may not.
    private func admit(_ bytes: ArraySlice<UInt8>, of number: Int, _ isFromClient: Bool) -> Int? {
        condition.withLock {
            let sentBefore = connections[number]?.clientBytes ?? 0
            if isFromClient { connections[number]?.clientBytes += bytes.count }
            if isFromClient, let fault = armed, fault.waits(for: bytes) { connections[number]?.hasAsked = true }
            let hasAsked = connections[number]?.hasAsked ?? false
            if let fault = armed, let allowed = fault.admits(bytes, isFromClient, sentBefore, hasAsked) {
                armed = nil
                fired += 1
                if fault.effect == .stall {
                    isStalled = true
                } else if fault.effect == .silence {
                    connections[number]?.isSilent = true
                } else if let pair = connections[number] {
                    if allowed > 0 { _ = Sockets.writeAll(pair.server, bytes.prefix(allowed)) }
                    cut(pair)
                    return nil
                }
            }
            while isStalled || connections[number]?.isSilent == true { condition.wait() }
            return bytes.count
        }
    }

    private func cut(_ pair: Pair) {
        Sockets.reset(pair.client)
        Sockets.reset(pair.server)
    }
}

extension FaultProxy.Fault {
    /// Whether these bytes of a client's are those after which the fault may happen.
    fileprivate func waits(for bytes: ArraySlice<UInt8>) -> Bool {
        guard case .serverReplies(_, let text) = trigger else { return false }
        return bytes.contains(text)
    }

    /// How many bytes pass before the fault; `nil` when it does not happen.
    fileprivate func admits(
        _ bytes: ArraySlice<UInt8>, _ isFromClient: Bool, _ sentBefore: Int, _ hasAsked: Bool
    ) -> Int? {
        switch trigger {
        case .clientSends(let text): isFromClient && bytes.contains(text) ? 0 : nil
        case .serverSends(let text): !isFromClient && bytes.contains(text) ? 0 : nil
        case .serverReplies(let text, _): hasAsked && !isFromClient && bytes.contains(text) ? 0 : nil
        case .clientHasSent(let limit):
            isFromClient && sentBefore + bytes.count >= limit ? max(0, limit - sentBefore) : nil
        }
    }
}

extension ArraySlice<UInt8> {
    fileprivate func contains(_ text: String) -> Bool {
        text.isEmpty || Data(self).range(of: Data(text.utf8)) != nil
    }
}
