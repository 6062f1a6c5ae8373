import CLibPQ
import Glibc

/// One connection of libpq, made non-blocking: every wait is a `poll` with a deadline.
///
/// Not `Sendable`: it belongs to a ``PostgresConnection`` and is used on its thread only.
final class Wire {
    let pointer: OpaquePointer
    private let replyTimeout: Duration
    /// Whether the session is over, so that nothing more may be sent.
    private(set) var isBroken = false
    /// Whether the last row of the COPY that is under way has been read.
    var isAtEndOfCopy = true

    /// Connects, which takes the connect timeout for each host at most.
    ///
    /// - Throws: `connectionFailed`.
    init(_ configuration: PostgresConfiguration) throws(PostgresError) {
        guard let pointer = PQconnectdb(configuration.connectionString()) else {
            throw PostgresError(.connectionFailed, "out of memory")
        }
        guard PQstatus(pointer) == CONNECTION_OK, PQsetnonblocking(pointer, 1) == 0 else {
            let error = Self.failure(of: pointer)
            PQfinish(pointer)
            throw error
        }
        self.pointer = pointer
        replyTimeout = configuration.replyTimeout
        PQsetNoticeReceiver(pointer, { _, _ in }, nil)
    }

    deinit {
        PQfinish(pointer)
    }

    /// Why a connection could not be established, with the server's code if a server answered.
    ///
    /// libpq gives the code of such an error only within its verbose text, and only to who asked for it before: so a
    /// server that said no is asked again. Its severity, whatever the language, is followed by a colon and two spaces.
    private static func failure(of pointer: OpaquePointer) -> PostgresError {
        var error = PostgresError(.connectionFailed, String(cString: PQerrorMessage(pointer)).trimmed)
        guard error.message.contains(":  ") else { return error }
        PQsetErrorVerbosity(pointer, PQERRORS_VERBOSE)
        PQreset(pointer)
        error.sqlState = SQLState(inVerbose: String(cString: PQerrorMessage(pointer)))
        return error
    }

    var socket: Int32 {
        PQsocket(pointer)
    }

    /// Whether a transaction is open, be it a failed one; or the session is in a state from which it can't go on.
    var isInTransaction: Bool {
        PQtransactionStatus(pointer) != PQTRANS_IDLE
    }

    /// Whether a transaction is open that can only be rolled back.
    var isInFailedTransaction: Bool {
        PQtransactionStatus(pointer) == PQTRANS_INERROR
    }

    /// The next result; `nil` after the last one of a command.
    ///
    /// - Throws: `connectionLost` and `timeout`, after which the session is over.
    func nextResult() throws(PostgresError) -> PostgresResult? {
        while true {
            let isUnsent = PQflush(pointer) == 1
            if PQisBusy(pointer) == 0 { break }
            try wait(toWrite: isUnsent)
        }
        guard let result = PQgetResult(pointer) else {
            if PQstatus(pointer) == CONNECTION_BAD { throw lost() }
            return nil
        }
        let owner = PostgresResult(owning: result)
        if owner.endsSession { isBroken = true }
        return owner
    }

    /// Waits until the server has sent something, or can take more of what we send.
    ///
    /// The deadline is one of silence: whatever arrives, or leaves, renews it.
    func wait(toWrite: Bool) throws(PostgresError) {
        let events = Int16(POLLIN) | (toWrite ? Int16(POLLOUT) : 0)
        guard let ready = Self.poll(socket, events, for: replyTimeout) else {
            isBroken = true
            throw PostgresError(.timeout, "the server has not replied within \(replyTimeout)")
        }
        // A failure shows in the next result, behind the replies that came before it.
        if ready & ~Int16(POLLOUT) != 0 { PQconsumeInput(pointer) }
    }

    /// Marks the session as over.
    func lost(_ fallback: String = "the connection was lost") -> PostgresError {
        isBroken = true
        let message = String(cString: PQerrorMessage(pointer)).trimmed
        return PostgresError(.connectionLost, message.isEmpty ? fallback : message)
    }

    /// Gives up on the session, because it is in a state from which it can't go on.
    func abandon() {
        isBroken = true
    }

    /// Takes in what came while nobody asked, and finds out whether the session has ended.
    func absorb() {
        // To the end, for the end of the stream is only seen by reading behind the server's farewell.
        repeat {
            if PQconsumeInput(pointer) == 0 || PQisBusy(pointer) != 0 || PQstatus(pointer) != CONNECTION_OK {
                isBroken = true
            }
        } while !isBroken && Self.poll(socket, Int16(POLLIN), for: .zero) != nil
    }

    /// What of `events` has come true; `nil` when nothing has in time.
    static func poll(_ socket: Int32, _ events: Int16, for timeout: Duration) -> Int16? {
        let deadline = ContinuousClock.now + timeout
        var remaining = timeout
        while true {
            var descriptor = pollfd(fd: socket, events: events, revents: 0)
            let count = Glibc.poll(&descriptor, 1, remaining.pollMilliseconds)
            if count > 0 { return descriptor.revents }
            let isInterrupted = count < 0 && errno == EINTR
            remaining = deadline - .now
            // A signal interrupts the wait (EINTR) without being an answer. Where waiting itself fails, nothing is in time.
            if remaining <= .zero || (count < 0 && !isInterrupted) { return nil }
        }
    }
}

extension Duration {
    /// Whole milliseconds, rounded up, as far as `poll` can count.
    var pollMilliseconds: Int32 {
        let milliseconds = self / .milliseconds(1)
        return Int32(min(max(milliseconds.rounded(.up), 0), Double(Int32.max)))
    }
}
