import Postgres
import Traces

/// Runs database calls and maps their errors to ``LedgerError``.
///
/// Each call is a span of the request's trace.
func reading<Answer>(
    file: String = #fileID, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Answer
) async throws(LedgerError) -> Answer {
    try await traced(readingName(file), ofKind: .client, ["db.system.name": "postgresql"]) { _ throws(LedgerError) in
        do {
            return try await body()
        } catch {
            throw LedgerError(any: error)
        }
    }
}

/// `read Purchases`, for the file `Ledger/Purchases/Purchases.swift`.
private func readingName(_ file: String) -> String {
    "read \(file.split(separator: "/").last?.prefix { $0 != "." && $0 != "+" } ?? "")"
}

/// A row of a work list that may be unreadable.
///
/// One unreadable row must not stop the others.
struct Readable<Value: Sendable>: Sendable {
    let id: Int64
    let value: Result<Value, any Error>

    /// Reads a row whose first column is the id.
    init(_ row: borrowing PostgresRow) throws where Value: PostgresReadable {
        id = try row[0]
        do { value = .success(try row.read()) } catch { value = .failure(error) }
    }
}

extension Array {
    /// The values that can be read.
    ///
    /// - Parameter unreadable: called for each row that can't be read, with its id and an error for the log.
    func values<Value>(_ unreadable: (Int64, LedgerError) -> Void) -> [Value] where Element == Readable<Value> {
        compactMap { row in
            switch row.value {
            case .success(let value): return value
            case .failure(let error):
                unreadable(row.id, LedgerError(any: error))
                return nil
            }
        }
    }
}

/// Answers a batch of look-ups with the results of one query, or all with its error.
func answering<Key, Answer: Sendable>(
    _ keys: [Key], _ find: () async throws -> [Answer]
) async -> [Result<Answer, any Error>] {
    do {
        return try await find().map { .success($0) }
    } catch {
        return keys.map { _ in .failure(error) }
    }
}
