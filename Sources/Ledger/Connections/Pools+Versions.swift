import Postgres

extension Pools {
    /// Inserts a version, such as of a policy, unless a version in force is the same.
    ///
    /// - Parameters:
    ///   - insert: inserts the version.
    ///   - inForce: reads the versions in force.
    ///   - lock: is taken first, so that only one of several callers with the same version inserts it.
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
