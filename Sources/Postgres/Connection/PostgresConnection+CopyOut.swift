import CLibPQ

extension PostgresConnection {
    /// Streams the output of `COPY … TO STDOUT`.
    ///
    /// It reads the next chunk after the closure has returned. So a slow consumer slows the server down, and memory
    /// stays constant. The statement timeout does not apply, because the consumer sets the pace;
    /// ``PostgresConfiguration/replyTimeout`` applies to each wait for the server.
    ///
    /// If the closure throws or the task is cancelled, the copy is cancelled and the connection is closed, because
    /// discarding the rest could take longer than a new connection.
    ///
    /// - Parameters:
    ///   - sql: One `COPY … TO STDOUT` statement, without parameters.
    ///   - consume: Receives a chunk of whole rows, about 64 KiB.
    /// - Throws: as ``run(_:)``; the closure's error; `CancellationError`.
    package nonisolated(nonsending) func copyOut(
        _ sql: String, _ consume: nonisolated(nonsending) ([UInt8]) async throws -> Void
    ) async throws {
        try await beginCopy(sql)
        do {
            while let chunk = try await nextChunk(sql) {
                try Task.checkCancellation()
                try await consume(chunk)
            }
        } catch {
            await abandonCopy()
            throw error
        }
        try await endCopy(sql)
    }

    private func beginCopy(_ sql: String) throws(PostgresError) {
        try execute("SET statement_timeout = 0")
        let wire = try ready()
        do throws(PostgresError) {
            try Self.check(sql)
            try wire.send(sql)
            guard let result = try wire.nextResult() else { throw wire.lost("COPY got no reply") }
            guard result.status == PGRES_COPY_OUT else {
                let error = result.error(statement: sql)
                try Self.readAll(wire, statement: sql)
                if result.status == PGRES_FATAL_ERROR { throw error }
                throw PostgresError(.configuration, "the statement is not COPY … TO STDOUT", statement: sql)
            }
            wire.isAtEndOfCopy = false
            isCopying = true
        } catch {
            let failure = failed(error, statement: sql)
            updateStanding()
            if isUsable { try restoreTimeout() }
            throw failure
        }
    }

    /// The next chunk of whole rows; `nil` after the last.
    private func nextChunk(_ sql: String) throws(PostgresError) -> [UInt8]? {
        guard let wire, isCopying else { throw PostgresError(.closed, "the connection was closed during a COPY") }
        var chunk: [UInt8] = []
        do {
            while chunk.count < Self.chunkSize, !wire.isAtEndOfCopy { try wire.readCopyData(into: &chunk) }
        } catch {
            throw failed(error, statement: sql)
        }
        return chunk.isEmpty ? nil : chunk
    }

    private static var chunkSize: Int {
        64 << 10
    }

    private func endCopy(_ sql: String) throws(PostgresError) {
        guard let wire, isCopying else { throw PostgresError(.closed, "the connection was closed during a COPY") }
        isCopying = false
        defer { updateStanding() }
        do {
            try Self.readAll(wire, statement: sql)
        } catch {
            let failure = failed(error, statement: sql)
            updateStanding()
            // In a failed transaction the rollback restores the setting; it can't be set before.
            if isUsable, !isInTransaction { try restoreTimeout() }
            throw failure
        }
        try restoreTimeout()
    }

    private func restoreTimeout() throws(PostgresError) {
        if wire?.isInFailedTransaction == true { return }
        let settings = configuration.sessionSettings().filter { $0.name == "statement_timeout" }
        try applySettings(settings)
    }

    private func abandonCopy() {
        cancel()
        isCopying = false
        close()
    }
}

extension Wire {
    /// Appends one row of a COPY, or finds its end; then the next result is the COPY's.
    func readCopyData(into chunk: inout [UInt8]) throws(PostgresError) {
        while true {
            var row: UnsafeMutablePointer<CChar>?
            let size = PQgetCopyData(pointer, &row, 1)
            if let row {
                chunk.append(contentsOf: UnsafeRawBufferPointer(start: row, count: Int(size)))
                PQfreemem(row)
                return
            }
            if size == -1 {
                isAtEndOfCopy = true
                return
            }
            if size != 0 { throw lost() }
            try wait(toWrite: false)
            if PQstatus(pointer) == CONNECTION_BAD { throw lost() }
        }
    }
}
