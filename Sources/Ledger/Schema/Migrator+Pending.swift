import Postgres

/// What a database has of this binary's schema.
extension Migrator {
    /// What is pending.
    ///
    /// Throws if the applied migrations are not those of this binary, or of a later one that is compatible with it.
    func pending(on connection: PostgresConnection) async throws -> Changes {
        let exists = try await connection.run(
            PostgresQuery<Bool>.one("SELECT to_regclass('migration') IS NOT NULL"))
        let applied = exists ? try await connection.run(AppliedMigration.all) : []
        let isTakenOver = try isFromBeforeBaseline(applied)
        var isAhead = false
        for row in applied where !isTakenOver || row.version > Baseline.version {
            guard let known = migrations.first(where: { $0.version == row.version }) else {
                guard isCompatible(with: row) else { throw LedgerError.unknown(row) }
                isAhead = true
                continue
            }
            guard known.checksum == row.checksum else { throw LedgerError.altered(known.title) }
        }
        let versions = Set(applied.map(\.version))
        var changes = Changes(migrations: migrations.filter { !versions.contains($0.version) })
        // The judges of a later binary stay: it may have changed them together with its migrations.
        if !isAhead {
            let checksums = try await JudgeFile.applied(on: connection)
            changes.judges = judges.filter { checksums[$0.name] != $0.checksum }
        }
        return changes
    }

    /// Throws ``LedgerError/Code/schema`` unless this binary can serve the database's schema.
    func requireCurrent(on connection: PostgresConnection) async throws {
        let pending = try await pending(on: connection)
        guard pending.isEmpty else {
            let titles = pending.titles.joined(separator: ", ")
            // Two versions that serve one database can differ in functions alone: migrating from both would go back and forth.
            throw LedgerError(
                .schema,
                pending.migrations.isEmpty
                    ? "the database's functions are another version's (\(titles)): "
                        + "run `ledgerd migrate` of the version that is to serve"
                    : "migrations are pending (\(titles)): run `ledgerd migrate`")
        }
    }

    /// Whether the database began with an earlier baseline or with the first migration, and has all that followed up to this
    /// baseline.
    ///
    /// Throws if it has only some of that.
    private func isFromBeforeBaseline(_ applied: [AppliedMigration]) throws(LedgerError) -> Bool {
        let rows = applied.filter { $0.version <= Baseline.version }
        guard rows.contains(where: { $0.version < Baseline.version || $0.checksum == Baseline.folded.last?.checksum })
        else { return false }
        let road = Baseline.road(of: rows)
        for folded in road {
            guard let row = rows.first(where: { $0.version == folded.version }) else {
                throw LedgerError(
                    .schema,
                    """
                    migration \(folded.title) is not applied, and this version no longer has it: run `ledgerd migrate` of \
                    the last version that has it first (docs/upgrading.md)
                    """)
            }
            guard row.checksum == folded.checksum else { throw LedgerError.altered(folded.title) }
        }
        let known = Set(road.map(\.version))
        if let stranger = rows.first(where: { !known.contains($0.version) }) { throw LedgerError.unknown(stranger) }
        return true
    }

    /// Whether this binary can serve a schema with a migration that it does not know.
    private func isCompatible(with row: AppliedMigration) -> Bool {
        guard let needed = row.compatibleFrom, let newest = migrations.last else { return false }
        return newest.version >= needed && newest.version < row.version
    }
}

/// A row of the table `migration`.
struct AppliedMigration: Sendable {
    let version: Int
    let checksum: String
    let compatibleFrom: Int?

    /// By number.
    ///
    /// Earlier versions made the table without `compatible_from`.
    static let all = PostgresQuery<[AppliedMigration]>(
        "SELECT version, checksum, (to_jsonb(migration) ->> 'compatible_from')::int8 FROM migration ORDER BY version"
    ) { row in try row.make(AppliedMigration.init) }
}

extension LedgerError {
    fileprivate static func unknown(_ row: AppliedMigration) -> LedgerError {
        LedgerError(.schema, "migration \(row.version) is applied, but this binary does not know it")
    }

    fileprivate static func altered(_ title: String) -> LedgerError {
        LedgerError(.schema, "migration \(title) was altered after it was applied")
    }
}
