import CLibPQ
import Glibc
import Synchronization

/// A handle to cancel a connection's statement, from any thread.
///
/// `@unchecked Sendable`: the pointer never changes, and libpq only reads what it points to (`PQcancel` is documented
/// as safe from any thread, even from a signal handler).
final class CancelRequest: @unchecked Sendable {
    private let pointer: OpaquePointer
    private let isUnderWay = Atomic(false)

    init?(connection: OpaquePointer) {
        guard let pointer = PQgetCancel(connection) else { return nil }
        self.pointer = pointer
    }

    deinit {
        PQfreeCancel(pointer)
    }

    /// Sends the request on its own short-lived thread.
    ///
    /// `PQcancel` opens a second connection and waits until the server closes it, without a deadline: a hanging server
    /// would block the caller's thread. At most one request per connection runs at a time.
    func send() {
        guard !isUnderWay.exchange(true, ordering: .acquiringAndReleasing) else { return }
        let retained = Unmanaged.passRetained(self)
        let status = Threads.startDetached(argument: retained.toOpaque()) { argument in
            guard let argument else { return nil }
            Unmanaged<CancelRequest>.fromOpaque(argument).takeRetainedValue().deliver()
            return nil
        }
        if status != 0 {
            retained.release()
            isUnderWay.store(false, ordering: .releasing)
        }
    }

    private func deliver() {
        blockBrokenPipeSignal()
        // A failed request is no error: a cancellation is not guaranteed; the statement's own deadline applies.
        _ = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { message in
            PQcancel(pointer, message.baseAddress, Int32(message.count))
        }
        isUnderWay.store(false, ordering: .releasing)
    }

    /// Blocks SIGPIPE in this thread, which ends after the request.
    ///
    /// `PQcancel` sends without `MSG_NOSIGNAL`, unlike the rest of libpq: a server that closes the second connection at
    /// once, because it has no slot left, would end the process.
    private func blockBrokenPipeSignal() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }
}
