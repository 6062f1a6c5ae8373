import Foundation
import Glibc
import Synchronization

/// A TCP balancer on loopback, as a Service of Kubernetes is: its endpoints get new connections in turn.
///
/// A connection stays where it is, also when its endpoint is removed. Each has two threads that move bytes.
package final class Balancer: Sendable {
    /// The connections of one endpoint.
    package struct Connections: Sendable {
        /// How many it has got so far.
        package fileprivate(set) var made = 0
        /// How many of them are open.
        package fileprivate(set) var open = 0
    }

    private struct State {
        /// Their ports.
        var endpoints: [Int] = []
        var connections: [Int: Connections] = [:]
        /// How many connections all have got.
        var made = 0
    }

    /// The port on 127.0.0.1.
    package let port: Int
    private let listener: Int32
    private let state = Mutex(State())

    private init() throws {
        (listener, port) = try Sockets.listen(port: 0)
    }

    /// Lends a balancer without endpoints, and stops it.
    package static func with(_ body: (Balancer) async throws -> Void) async throws {
        let balancer = try Balancer()
        Thread.detachNewThread { balancer.acceptAll() }
        defer { Sockets.endListening(balancer.listener) }
        try await body(balancer)
    }

    /// Gives new connections to this port, too.
    package func add(_ port: Int) {
        state.withLock { $0.endpoints.append(port) }
    }

    /// Gives no new connection to this port.
    package func remove(_ port: Int) {
        state.withLock { state in state.endpoints.removeAll { $0 == port } }
    }

    /// The connections that this port has got.
    package func connections(to port: Int) -> Connections {
        state.withLock { $0.connections[port] ?? Connections() }
    }
}

extension Balancer {
    private func acceptAll() {
        while true {
            let client = Glibc.accept(listener, nil, nil)
            if client < 0 && errno == EINTR { continue }
            if client < 0 { break }
            lead(client, to: nextEndpoint())
        }
        close(listener)
    }

    private func nextEndpoint() -> Int? {
        state.withLock { state in
            guard !state.endpoints.isEmpty else { return nil }
            let endpoint = state.endpoints[state.made % state.endpoints.count]
            state.made += 1
            state.connections[endpoint, default: Connections()].made += 1
            state.connections[endpoint, default: Connections()].open += 1
            return endpoint
        }
    }

    private func lead(_ client: Int32, to endpoint: Int?) {
        guard let endpoint, let server = Sockets.connect(host: "127.0.0.1", port: endpoint) else {
            // The client sees what it sees where nobody listens.
            Sockets.reset(client)
            close(client)
            if let endpoint { leave(endpoint) }
            return
        }
        let moves = DispatchGroup()
        for (source, target) in [(client, server), (server, client)] {
            moves.enter()
            Thread.detachNewThread {
                Self.move(from: source, to: target)
                moves.leave()
            }
        }
        moves.notify(queue: .global()) { [self] in
            close(client)
            close(server)
            leave(endpoint)
        }
    }

    private func leave(_ endpoint: Int) {
        state.withLock { $0.connections[endpoint, default: Connections()].open -= 1 }
    }

    /// Moves bytes in one direction until either side ends.
    private static func move(from source: Int32, to target: Int32) {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = read(source, &buffer, buffer.count)
            if count < 0 && errno == EINTR { continue }
            if count <= 0 || !Sockets.writeAll(target, buffer[..<count]) { break }
        }
        // HTTP/1.1 has no use for half a connection, so the other direction ends as well.
        shutdown(source, Int32(SHUT_RDWR))
        shutdown(target, Int32(SHUT_RDWR))
    }
}
