import CLibPQ

extension PostgresConnection {
    /// What the server stores instead of a password (SCRAM-SHA-256, RFC 5803), for `CREATE ROLE … PASSWORD`: the password
    /// itself then stands in no statement, and in no log of statements.
    ///
    /// - Throws: `configuration` for a password that can't be used.
    package func verifier(ofPassword password: String, for role: String) throws(PostgresError) -> String {
        let wire = try ready()
        guard let verifier = PQencryptPasswordConn(wire.pointer, password, role, "scram-sha-256") else {
            throw PostgresError(.configuration, "the password can't be used")
        }
        defer { PQfreemem(verifier) }
        return String(cString: verifier)
    }
}
