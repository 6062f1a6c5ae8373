import Postgres

extension Pools {
    /// Writes a version of something that is never changed, unless the version in force is the same.
    ///
    /// - Parameters:
    ///   - insert: writes the version.
    ///   - inForce: reads what is in force.
    ///   - lock: taken first: of several callers who write the same at once, one does.
    /// - Returns: the version that is in force now, and whether it is new.
    func write<Version: Sendable>(
        _ insert: PostgresQuery<Version>, unlessSameAs inForce: PostgresQuery<[Version]>, lock: PostgresQuery<Int>,
        _ isSame: @Sendable (Version) -> Bool
    ) async throws -> (version: Version, isNew: Bool) {
        try await writes.withConnection { connection in
            try await connection.transaction { connection in
                _ = try connection.run(lock)
                if let same = try connection.run(inForce).first(where: isSame) { return (same, false) }
                return (try connection.run(insert), true)
            }
        }
    }
}
