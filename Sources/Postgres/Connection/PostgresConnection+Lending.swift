extension PostgresConnection {
    /// Connects for a piece of work, and closes the connection when that has ended, however it ends.
    ///
    /// - Throws: as ``connect(_:)``, and what the work throws.
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
