import CEmbedded
import Postgres

/// A file of `schema/judges`: the functions of the database that belong to one concept.
///
/// Most of them judge what is written. The files say `CREATE OR REPLACE FUNCTION` only, so they can be applied again and
/// again, and lock no table. `JudgeFileTests` has the rules.
package struct JudgeFile: Sendable {
    /// The file name without the extension, such as `refunds`.
    package let name: String
    package let sql: String

    /// The files of the folder, by name.
    static let written = embedded_judges().all.map { JudgeFile(name: $0.title, sql: $0.text) }

    /// All of this binary: the files, and what the declaration of personal data tells the functions.
    package static let all = written + [TableContent.judgeFile]

    /// For people: `judges/refunds`.
    package var title: String { "judges/\(name)" }

    /// SHA-256 of the file, in hexadecimal.
    package var checksum: String { sql.sha256 }
}

extension JudgeFile {
    /// The table of the files as they were applied last.
    private static let createRecord = """
        CREATE TABLE IF NOT EXISTS judge_file (
            name       text PRIMARY KEY,
            checksum   text NOT NULL, -- SHA-256 of the file
            applied_at timestamptz NOT NULL DEFAULT clock_timestamp()
        );
        """

    /// The checksums of the files that were applied, by name; empty in a database that has no such table.
    ///
    /// - Throws: ``PostgresError``.
    static func applied(on connection: isolated PostgresConnection) throws(PostgresError) -> [String: String] {
        guard try connection.run(recordExists) else { return [:] }
        return Dictionary(uniqueKeysWithValues: try connection.run(checksums))
    }

    /// Applies and records the files, in the transaction that is open.
    ///
    /// The table of records and the service's right to it come in the same transaction, so that `serve` never finds one
    /// without the other.
    ///
    /// - Parameter areChecked: whether PostgreSQL looks at the functions' bodies. It can't while migrations are pending:
    ///   a body may name a column that a later one adds.
    /// - Throws: ``PostgresError``.
    static func apply(
        _ files: [JudgeFile], areChecked: Bool, on connection: isolated PostgresConnection
    ) throws(PostgresError) {
        guard !files.isEmpty else { return }
        try connection.execute(createRecord)
        try connection.execute("SET LOCAL check_function_bodies = \(areChecked ? "on" : "off")")
        for file in files {
            try connection.execute(file.sql)
            _ = try connection.run(record(file))
        }
        try connection.execute("GRANT SELECT ON judge_file TO \(ServiceRole.group)")
    }

    private static let recordExists = PostgresQuery<Bool>.one("SELECT to_regclass('judge_file') IS NOT NULL")

    private static let checksums = PostgresQuery<[(String, String)]>("SELECT name, checksum FROM judge_file") { row in
        (try row[0], try row[1])
    }

    private static func record(_ file: JudgeFile) -> PostgresQuery<Int> {
        .affected(
            """
            INSERT INTO judge_file (name, checksum) VALUES ($1, $2)
            ON CONFLICT (name) DO UPDATE SET checksum = excluded.checksum, applied_at = excluded.applied_at
            """,
            [file.name, file.checksum])
    }
}
