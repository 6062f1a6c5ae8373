import Batching
import Postgres

// Maps SQLSTATEs, constraint names and connection failures to the ledger's codes. No other code does.

extension LedgerError {
    /// The ledger's error for a database error of a read, or of a change that was not committed.
    init(_ error: PostgresError) {
        if let row = error.underlying as? UnreadableRow {
            self.init(row)
        } else if let message = Self.violatedRule(error) {
            self.init(.invalid, message, underlying: error)
        } else if error.isLogInRefused {
            self.init(
                .unavailable, "the database refused the log-in: check user, password and database in the URL",
                underlying: error)
        } else if error.isTLSRefused {
            self.init(
                .unavailable, "no TLS connection to the database: check sslmode and sslrootcert of the URL",
                underlying: error)
        } else if error.code == .sharedSession {
            self.init(
                .unavailable, "connect to PostgreSQL directly, or to a pool in session mode that resets its sessions",
                underlying: error)
        } else if error.meansUnavailable {
            self.init(.unavailable, "the database can't be reached or is not available", underlying: error)
        } else if error.constraint == "purchase_at_rate_of_payment" {
            // The rate is looked up before the locks are taken.
            self.init(
                .unavailable, "a rate of the payment's currency was published meanwhile: try again", underlying: error)
        } else if error.sqlState == .insufficientPrivilege {
            self.init(
                .fault, "the database role lacks privileges: run GRANT ledgerd_service TO the role",
                underlying: error)
        } else {
            self.init(.fault, "the database refused a statement", underlying: error)
        }
    }

    /// Maps any error of a queue, a pool or a query.
    init(any error: any Error) {
        switch error {
        case let error as LedgerError: self = error
        case let error as PostgresError: self.init(error)
        case let row as UnreadableRow: self.init(row)
        case BatchQueueError.full: self.init(.overloaded, "too many acts are waiting")
        case BatchQueueError.late: self.init(.unavailable, "the database did not answer a look-up in time")
        case BatchQueueError.closed: self.init(.shuttingDown, "the ledger is closing")
        case is CancellationError: self.init(.unavailable, "the caller cancelled the request")
        default: self.init(.fault, "unexpected \(type(of: error))")
        }
    }

    private init(_ row: UnreadableRow) {
        self = .unreadable(row.table, row.id.map { "with the id \($0)" } ?? "with an unreadable id")
    }

    /// A stored record can't be read.
    ///
    /// Only what needs the record fails.
    ///
    /// - Parameter record: identifies the row in the table.
    static func unreadable(_ table: String, _ record: String) -> LedgerError {
        .unexpected("the row of \(table) \(record) can't be read")
    }

    /// The messages for constraints that a caller can violate.
    private static func violatedRule(_ error: PostgresError) -> String? {
        switch error.constraint {
        case "product_code_sold_once": "another product on sale has this code, or will have it then"
        case "product_price_sold_once":
            "another product on sale has this price, or will have it then: a payment could be for either"
        case "product_price_once": "the product has another price in this currency then"
        case "product_price_has_rate": "no rate of this currency was published: what is paid in it could not be booked"
        case "product_code_is_plain": "a product's code is 1 to 64 letters, digits, '_', '.' or '-'"
        case "product_title_in_range": "a product's title is 1 to 40 characters"
        default: nil
        }
    }
}

extension PostgresError {
    /// What a writer does after a batch failed with an error.
    enum Remedy {
        /// Another transaction conflicted: plan again with the current rows.
        case replay
        /// The connection was lost: connect and plan again, which reads what was committed.
        case reconnect
        /// The database is not available now.
        case giveUp
        /// The standby is late: read what was committed, until a later commit is confirmed. Or a session keeps an
        /// account locked: perform the acts one by one, so that only those fail that need the account.
        case wait
        /// The server ended a statement, because it took too long or somebody cancelled it: perform fewer acts at once.
        case divide
        /// One of the acts causes the error: perform them one by one.
        case separate
    }

    var remedy: Remedy {
        switch code {
        case .connectionLost, .timeout, .closed: return .reconnect
        case .connectionFailed, .poolExhausted, .sharedSession: return .giveUp
        case .unconfirmed: return .wait
        default: break
        }
        switch sqlState {
        case .uniqueViolation?, .serializationFailure?, .deadlockDetected?: return .replay
        case .lockNotAvailable?: return .wait
        case .queryCanceled?: return .divide
        default: break
        }
        switch sqlState?.classCode {
        case "08"?, "57"?: return .reconnect
        case "53"?, "58"?, "25"?: return .giveUp
        default: return .separate
        }
    }

    /// Whether a later retry may succeed without any change.
    var meansUnavailable: Bool {
        switch remedy {
        // A replay resolves a conflict about a key. A violation that stays is a bug or a corruption.
        case .replay: sqlState != .uniqueViolation
        case .reconnect, .giveUp, .wait, .divide: true
        case .separate: false
        }
    }
}
