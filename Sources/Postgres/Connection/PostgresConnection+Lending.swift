extension PostgresConnection {
    /// Connects, runs a closure, and closes the connection in every case.
    ///
    /// - Throws: as ``connect(_:)``; the closure's error.
    package nonisolated(nonsending) static func with<Output>(
        _ configuration: PostgresConfiguration,
        _ work: nonisolated(nonsending) (PostgresConnection) async throws -> Output
    ) async throws -> Output {
        let connection = try await connect(configuration)
        do {
            let output = try await work(connection)
            await connection.close()
            return output
        } catch {
            await connection.close()
            throw error
        }
    }
}
