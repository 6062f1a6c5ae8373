import Postgres

extension Diagnosis.Warning {
    /// Settings that must be on for a commit to survive a crash, and are off.
    static let ofServer = PostgresQuery<[Diagnosis.Warning]>(
        """
        SELECT name FROM pg_settings WHERE name IN ('fsync', 'full_page_writes') AND setting = 'off' ORDER BY name
        """,
        []
    ) { row in
        let name = try row.decode(0, as: String.self)
        return Diagnosis.Warning(
            code: "\(name)_off",
            detail: "\(name) is off: a crash of the server's machine may lose or damage committed books; set it to on")
    }
}
