import CLibPQ

extension Wire {
    /// Starts a pipeline; libpq buffers what is sent from now on.
    func enterPipeline() throws(PostgresError) {
        guard PQenterPipelineMode(pointer) == 1 else { throw lost() }
    }

    /// Ends a pipeline after all its results are read.
    func leavePipeline() throws(PostgresError) {
        guard PQexitPipelineMode(pointer) == 1 else { throw lost() }
    }

    /// Ends a unit of the pipeline and makes the server reply.
    func sync() throws(PostgresError) {
        guard PQpipelineSync(pointer) == 1 else { throw lost() }
    }

    /// Sends statements with the simple protocol.
    func send(_ sql: String) throws(PostgresError) {
        guard PQsendQuery(pointer, sql) == 1 else { throw lost() }
    }

    /// Sends the preparation of a statement.
    func sendPrepare(_ name: String, _ statement: PostgresStatement) throws(PostgresError) {
        let types = statement.parameters.map { type(of: $0).postgresType.oid }
        guard PQsendPrepare(pointer, name, statement.sql, Int32(types.count), types) == 1 else { throw lost() }
    }

    /// Sends the execution of a prepared statement.
    func sendExecute(_ name: String, _ values: EncodedParameters) throws(PostgresError) {
        let isSent = values.withPointers { pointers, lengths, formats in
            PQsendQueryPrepared(pointer, name, Int32(lengths.count), pointers, lengths, formats, 1) == 1
        }
        guard isSent else { throw lost() }
    }

    /// Sends an unprepared statement with its parameters.
    func sendOnce(_ statement: PostgresStatement, _ values: EncodedParameters) throws(PostgresError) {
        let types = statement.parameters.map { type(of: $0).postgresType.oid }
        let isSent = values.withPointers { pointers, lengths, formats in
            PQsendQueryParams(
                pointer, statement.sql, Int32(types.count), types, pointers, lengths, formats, 1) == 1
        }
        guard isSent else { throw lost() }
    }
}
