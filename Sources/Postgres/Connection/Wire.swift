import CLibPQ
import Glibc

/// A non-blocking libpq connection: every wait is a `poll` with a deadline.
///
/// Not `Sendable`: it belongs to a ``PostgresConnection`` and is used only on its thread.
final class Wire {
    let pointer: OpaquePointer
    private let replyTimeout: Duration
    private let busyTimeout: Duration
    private let probe: SessionProbe
    let notices: Notices
    /// Whether the session is over, so that nothing can be sent.
    private(set) var isBroken = false
    /// Whether the last row of the running COPY has been read.
    var isAtEndOfCopy = true

    /// Connects, within the connect timeout per host.
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
        replyTimeout = configuration.replyTimeout * configuration.limitFactor
        busyTimeout = configuration.busyTimeout
        probe = SessionProbe(of: pointer, configuration)
        notices = Notices(configuration.noticeHandler)
        notices.receive(from: pointer)
    }

    deinit {
        PQfinish(pointer)
    }

    /// The connection error, with the server's code if a server responded.
    ///
    /// libpq includes the code only in its verbose text, which must be requested before: so after a server's refusal
    /// the connection is tried again. The severity, in any language, is followed by a colon and two spaces.
    private static func failure(of pointer: OpaquePointer) -> PostgresError {
        var error = PostgresError(.connectionFailed, String(cString: PQerrorMessage(pointer)).trimmed)
        // A server that asks for a password and is given none would refuse a wrong one too; only libpq tells.
        if PQconnectionNeedsPassword(pointer) == 1 { error.sqlState = .invalidPassword }
        guard error.message.contains(":  ") else { return error }
        PQsetErrorVerbosity(pointer, PQERRORS_VERBOSE)
        PQreset(pointer)
        error.sqlState = SQLState(inVerbose: String(cString: PQerrorMessage(pointer)))
        return error
    }

    var socket: Int32 {
        PQsocket(pointer)
    }

    /// Whether a transaction is open, including a failed one, or the session is unusable.
    var isInTransaction: Bool {
        PQtransactionStatus(pointer) != PQTRANS_IDLE
    }

    /// Whether an open transaction can only be rolled back.
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

    /// Waits until the server has sent data, or accepts more data.
    ///
    /// The deadline limits silence: any data in either direction renews it.
    func wait(toWrite: Bool) throws(PostgresError) {
        let events = Int16(POLLIN) | (toWrite ? Int16(POLLOUT) : 0)
        guard let ready = Self.poll(socket, events, for: replyTimeout) ?? pollWhileBusy(events) else {
            isBroken = true
            throw PostgresError(.timeout, "the server has not replied within \(replyTimeout)")
        }
        // A failure shows in the next result, after earlier replies.
        if ready & ~Int16(POLLOUT) != 0 { PQconsumeInput(pointer) }
    }

    /// Waits on as long as the server shows that the session is at work, and no longer than the limit for that.
    private func pollWhileBusy(_ events: Int16) -> Int16? {
        let deadline = ContinuousClock.now + busyTimeout
        while ContinuousClock.now < deadline, probe.isAtWork() {
            if let ready = Self.poll(socket, events, for: min(replyTimeout, deadline - .now)) { return ready }
        }
        // The reply may have come while the server was asked.
        return Self.poll(socket, events, for: .zero)
    }

    /// Marks the session as over.
    func lost(_ fallback: String = "the connection was lost") -> PostgresError {
        isBroken = true
        let message = String(cString: PQerrorMessage(pointer)).trimmed
        return PostgresError(.connectionLost, message.isEmpty ? fallback : message)
    }

    /// Marks an unusable session as over.
    func abandon() {
        isBroken = true
    }

    /// Reads unsolicited data, and finds out whether the session has ended.
    func absorb() {
        // The end of the stream comes after the server's last message, on a busy server much later.
        repeat {
            if PQconsumeInput(pointer) == 0 || PQisBusy(pointer) != 0 || PQstatus(pointer) != CONNECTION_OK
                || notices.haveEndedSession
            {
                isBroken = true
            }
        } while !isBroken && Self.poll(socket, Int16(POLLIN), for: .zero) != nil
    }

    /// The events that occurred; `nil` after the timeout.
    static func poll(_ socket: Int32, _ events: Int16, for timeout: Duration) -> Int16? {
        let deadline = ContinuousClock.now + timeout
        var remaining = timeout
        while true {
            var descriptor = pollfd(fd: socket, events: events, revents: 0)
            let count = Glibc.poll(&descriptor, 1, remaining.pollMilliseconds)
            if count > 0 { return descriptor.revents }
            let isInterrupted = count < 0 && errno == EINTR
            remaining = deadline - .now
            // A signal interrupts the wait (EINTR) without a result. If waiting itself fails, the result is a timeout.
            if remaining <= .zero || (count < 0 && !isInterrupted) { return nil }
        }
    }
}

extension Duration {
    /// Whole milliseconds, rounded up, within the range of `poll`.
    var pollMilliseconds: Int32 {
        let milliseconds = self / .milliseconds(1)
        return Int32(min(max(milliseconds.rounded(.up), 0), Double(Int32.max)))
    }
}
