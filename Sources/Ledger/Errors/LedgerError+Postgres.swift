import Batching
import Postgres

// The one place where SQLSTATEs, constraint names and connection failures become the ledger's codes.

extension LedgerError {
    /// What a database error means to whoever asked the ledger something that changes nothing, or asked for a change
    /// that was not committed.
    init(_ error: PostgresError) {
        if let row = error.underlying as? UnreadableRow {
            self.init(row)
        } else if let message = Self.violatedRule(error) {
            self.init(.invalid, message, underlying: error)
        } else if error.isLogInRefused {
            self.init(
                .unavailable, "the database refuses the log-in: check user, password and database of the URL",
                underlying: error)
        } else if error.isTLSRefused {
            self.init(
                .unavailable, "no TLS connection to the database: check sslmode and sslrootcert of the URL",
                underlying: error)
        } else if error.meansUnavailable {
            self.init(.unavailable, "the database can't be reached or can't serve", underlying: error)
        } else if error.sqlState == .insufficientPrivilege {
            self.init(
                .fault, "the database's role has not the rights it needs: GRANT ledgerd_service TO it",
                underlying: error)
        } else {
            self.init(.fault, "the database refused a statement", underlying: error)
        }
    }

    /// Any error that may leave a queue, a pool or a query.
    init(any error: any Error) {
        switch error {
        case let error as LedgerError: self = error
        case let error as PostgresError: self.init(error)
        case let row as UnreadableRow: self.init(row)
        case BatchQueueError.full: self.init(.overloaded, "too many commands wait")
        case BatchQueueError.closed: self.init(.shuttingDown, "the ledger is closing")
        case is CancellationError: self.init(.unavailable, "the caller went away")
        default: self.init(.fault, "unexpected \(type(of: error))")
        }
    }

    private init(_ row: UnreadableRow) {
        self = .unreadable(row.table, row.id.map { "with the id \($0)" } ?? "of which not even the id can be read")
    }

    /// What the database holds of one record can't be read, so what needs it fails, and nothing else.
    ///
    /// - Parameter record: which of the table's rows it is.
    static func unreadable(_ table: String, _ record: String) -> LedgerError {
        .unexpected("the row of \(table) \(record) can't be read")
    }

    /// Rules of the data that a caller can break, and what to tell them.
    private static func violatedRule(_ error: PostgresError) -> String? {
        switch error.constraint {
        case "product_active_code_unique": "another product on sale has this code"
        case "product_active_price_unique": "another product on sale has this price: a payment could be for either"
        case "product_code_is_plain": "a product's code is 1 to 64 letters, digits, '_', '.' or '-'"
        case "product_title_in_range": "a product's title is 1 to 40 characters"
        default: nil
        }
    }
}

extension PostgresError {
    /// What a writer does about a batch that failed with this error.
    enum Remedy {
        /// Another transaction was in the way: plan again on what the database holds now.
        case replay
        /// The connection is gone: connect again, and plan again, which reads what was committed.
        case reconnect
        /// The database can't serve now.
        case giveUp
        /// The standby is late: look what was committed, until a later commit is confirmed. Or somebody keeps an account
        /// locked: perform the acts one by one, so that only those fail that need it.
        case wait
        /// One of the acts is at fault: perform them one by one.
        case separate
    }

    var remedy: Remedy {
        switch code {
        case .connectionLost, .timeout, .closed: return .reconnect
        case .connectionFailed, .poolExhausted: return .giveUp
        case .unconfirmed: return .wait
        default: break
        }
        switch sqlState {
        case .uniqueViolation?, .serializationFailure?, .deadlockDetected?: return .replay
        case .lockNotAvailable?: return .wait
        default: break
        }
        switch sqlState?.classCode {
        case "08"?, "57"?: return .reconnect
        case "53"?, "58"?, "25"?: return .giveUp
        default: return .separate
        }
    }

    /// Whether asking again later may succeed without anybody changing anything.
    var meansUnavailable: Bool {
        switch remedy {
        // One key that two transactions took is told apart by a replay; one that stays taken is a bug or a corruption.
        case .replay: sqlState != .uniqueViolation
        case .reconnect, .giveUp, .wait: true
        case .separate: false
        }
    }
}
