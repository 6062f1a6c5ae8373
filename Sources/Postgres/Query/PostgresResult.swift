import CLibPQ
import Glibc

/// Owns a result of libpq and frees it.
@usableFromInline
struct PostgresResult: ~Copyable {
    @usableFromInline let pointer: OpaquePointer

    init(owning pointer: OpaquePointer) {
        self.pointer = pointer
    }

    deinit {
        PQclear(pointer)
    }

    var status: ExecStatusType {
        PQresultStatus(pointer)
    }

    @usableFromInline var rowCount: Int {
        Int(PQntuples(pointer))
    }

    /// The number in the command's tag, such as `UPDATE 3`; 0 without a number.
    var affectedRows: Int {
        Int(String(cString: PQcmdTuples(pointer))) ?? 0
    }

    /// Whether the server rolled back instead of committing, because the transaction had failed.
    func isRefusedCommit(of sql: String) -> Bool {
        guard strcmp(PQcmdStatus(pointer), "ROLLBACK") == 0 else { return false }
        let verb = sql.drop { $0.isWhitespace }.prefix { $0.isLetter }.uppercased()
        return verb == "COMMIT" || verb == "END"
    }

    @inlinable
    func withRow<Output>(_ index: Int, _ body: (borrowing PostgresRow) throws -> Output) rethrows -> Output {
        try body(PostgresRow(result: pointer, index: Int32(index)))
    }

    /// Whether the session is over: the server ended it, or libpq lost it and reports its own error.
    var endsSession: Bool {
        guard status == PGRES_FATAL_ERROR else { return false }
        let severity = field(.severity)
        return severity == nil || severity == "FATAL" || severity == "PANIC"
    }

    /// The error that the result reports.
    ///
    /// An error that ends the session is not definite: the server may have crashed after a commit.
    func error(statement: String?) -> PostgresError {
        let message = field(.message) ?? String(cString: PQresultErrorMessage(pointer)).trimmed
        var error = PostgresError(endsSession ? .connectionLost : .server, message, statement: statement)
        error.sqlState = field(.sqlState).map(SQLState.init(rawValue:))
        error.constraint = field(.constraint)
        error.table = field(.table)
        error.column = field(.column)
        error.detail = field(.detail)
        error.hint = field(.hint)
        return error
    }

    private func field(_ field: ErrorField) -> String? {
        PQresultErrorField(pointer, Int32(field.rawValue.value)).map { String(cString: $0) }
    }
}

/// The fields of an error (`PG_DIAG_…` of `postgres_ext.h`, character macros that Swift does not import).
private enum ErrorField: Unicode.Scalar {
    /// Always in English, independent of `lc_messages`.
    case severity = "V"
    case sqlState = "C"
    case message = "M"
    case detail = "D"
    case hint = "H"
    case table = "t"
    case column = "c"
    case constraint = "n"
}

extension String {
    /// The text without surrounding line ends and blanks, which libpq's messages have.
    var trimmed: String {
        var text = self[...]
        while text.last?.isWhitespace == true { text.removeLast() }
        while text.first?.isWhitespace == true { text.removeFirst() }
        return String(text)
    }
}
