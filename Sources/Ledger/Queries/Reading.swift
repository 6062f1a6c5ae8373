/// Runs what asks the database and names its failures as the ledger does.
func reading<Answer>(_ body: () async throws -> Answer) async throws(LedgerError) -> Answer {
    do {
        return try await body()
    } catch {
        throw LedgerError(any: error)
    }
}

/// Answers a batch of look-ups with what one query found, or each with why it failed.
func answering<Key, Answer: Sendable>(
    _ keys: [Key], _ find: () async throws -> [Answer]
) async -> [Result<Answer, any Error>] {
    do {
        return try await find().map { .success($0) }
    } catch {
        return keys.map { _ in .failure(error) }
    }
}
