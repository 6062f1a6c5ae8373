import CLibPQ

extension Wire {
    /// Begins a pipeline; what is sent from now on waits in libpq's buffer for as long as it fits.
    func enterPipeline() throws(PostgresError) {
        guard PQenterPipelineMode(pointer) == 1 else { throw lost() }
    }

    /// Ends a pipeline all of whose results have been read.
    func leavePipeline() throws(PostgresError) {
        guard PQexitPipelineMode(pointer) == 1 else { throw lost() }
    }

    /// Ends what the server takes as one unit, and makes it reply.
    func sync() throws(PostgresError) {
        guard PQpipelineSync(pointer) == 1 else { throw lost() }
    }

    /// Sends statements by the simple protocol.
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

    /// Sends a statement that is not to be prepared, with its parameters.
    func sendOnce(_ statement: PostgresStatement, _ values: EncodedParameters) throws(PostgresError) {
        let types = statement.parameters.map { type(of: $0).postgresType.oid }
        let isSent = values.withPointers { pointers, lengths, formats in
            PQsendQueryParams(
                pointer, statement.sql, Int32(types.count), types, pointers, lengths, formats, 1) == 1
        }
        guard isSent else { throw lost() }
    }
}
