import Glibc
import Synchronization

/// The state of a connection that other threads can read without waiting.
final class ConnectionStanding: Sendable {
    private let usable = Atomic(false)
    private let inTransaction = Atomic(false)
    private let socket = Atomic<Int32>(-1)
    private let request = Mutex<CancelRequest?>(nil)
    private let ofPrimary = Mutex<Succession.Reign?>(nil)

    var isUsable: Bool {
        usable.load(ordering: .acquiring)
    }

    var isInTransaction: Bool {
        inTransaction.load(ordering: .acquiring)
    }

    /// The primary that the connection was made to; nil: it was not asked.
    var reign: Succession.Reign? { ofPrimary.withLock { $0 } }

    /// Whether an idle connection has received no data since its last use.
    ///
    /// It peeks at the socket, without a round trip: data on an idle session nearly always means that the server ended
    /// it.
    var isQuiet: Bool {
        let descriptor = socket.load(ordering: .acquiring)
        guard descriptor >= 0 else { return false }
        var byte: UInt8 = 0
        return recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) < 0
            && (errno == EAGAIN || errno == EINTR)
    }

    func began(under reign: Succession.Reign) { ofPrimary.withLock { $0 = reign } }

    func opened(_ wire: Wire) {
        request.withLock { $0 = CancelRequest(connection: wire.pointer) }
        socket.store(wire.socket, ordering: .releasing)
        usable.store(true, ordering: .releasing)
    }

    func update(_ wire: Wire) {
        inTransaction.store(wire.isInTransaction, ordering: .releasing)
    }

    func closed() {
        usable.store(false, ordering: .releasing)
        inTransaction.store(false, ordering: .releasing)
        socket.store(-1, ordering: .releasing)
        request.withLock { $0 = nil }
    }

    func cancel() {
        request.withLock { $0 }?.send()
    }
}
