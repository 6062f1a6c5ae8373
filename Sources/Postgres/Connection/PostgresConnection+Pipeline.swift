import CLibPQ

extension PostgresConnection {
    /// Runs one statement.
    ///
    /// - Throws: `server` if the server refuses it (definite), `decoding` if the result has another type (it was
    ///   executed), `connectionLost` and `timeout` (unknown), `closed` and `busy` (not sent).
    package func run<Output>(_ query: PostgresQuery<Output>) throws(PostgresError) -> Output {
        try pipeline(query)
    }

    /// Runs statements in one round trip.
    ///
    /// Without a `BEGIN`, they are one transaction.
    ///
    /// - Returns: their outputs, in order.
    /// - Throws: the server's first error, after which it ignores all later statements; otherwise as ``run(_:)``. The
    ///   connection stays usable unless the session is over.
    package func pipeline<each Output: Sendable>(
        _ query: repeat PostgresQuery<each Output>
    ) throws(PostgresError) -> sending (repeat each Output) {
        var statements: [PostgresStatement] = []
        repeat statements.append(PostgresStatement(each query))
        var replies = try send(statements)
        defer { updateStanding() }
        let outputs = (repeat receive(each query, &replies))
        try finish(&replies)
        return (repeat try Self.received(each outputs))
    }

    /// Runs statements of one kind in one round trip; otherwise as ``pipeline(_:)``.
    package func pipeline<Output>(_ queries: [PostgresQuery<Output>]) throws(PostgresError) -> [Output] {
        if queries.isEmpty { return [] }
        var replies = try send(queries.map(PostgresStatement.init))
        defer { updateStanding() }
        let outputs = queries.map { receive($0, &replies) }
        try finish(&replies)
        var received: [Output] = []
        received.reserveCapacity(outputs.count)
        for output in outputs {
            received.append(try Self.received(output))
        }
        return received
    }

    /// An output is missing only after a failure, which is thrown first.
    private static func received<Output>(_ output: Output?) throws(PostgresError) -> Output {
        guard let output else { throw PostgresError(.decoding, "a statement of the pipeline has no reply") }
        return output
    }
}

extension PostgresConnection {
    /// Sends as much of a pipeline as the socket accepts.
    private func send(_ sent: [PostgresStatement]) throws(PostgresError) -> PipelineReplies {
        let wire = try ready()
        for statement in sent {
            try Self.check(statement.sql)
            guard statement.parameters.count <= Int(UInt16.max) else {
                throw PostgresError(.configuration, "more than 65,535 parameters", statement: statement.sql)
            }
        }
        do {
            try wire.enterPipeline()
            var preparing: [PreparedStatementCache.Key: String] = [:]
            var expected: [PipelineReplies.Expected] = []
            for statement in sent {
                expected.append(try send(statement, &preparing, on: wire))
            }
            try wire.sync()
            return PipelineReplies(wire: wire, expected: expected)
        } catch {
            // A part of the pipeline may be sent without its end.
            wire.abandon()
            defer { updateStanding() }
            throw failed(error)
        }
    }

    private func send(
        _ statement: PostgresStatement, _ preparing: inout [PreparedStatementCache.Key: String], on wire: Wire
    ) throws(PostgresError) -> PipelineReplies.Expected {
        let key = PreparedStatementCache.Key(statement)
        encoded.encode(statement.parameters)
        if encoded.isTooLarge { throw wire.lost("the parameters of a statement exceed 1 GiB") }
        if let name = statements.name(of: key) ?? preparing[key] {
            try wire.sendExecute(name, encoded)
            return PipelineReplies.Expected(key: key, preparing: nil)
        }
        guard let name = statements.newName(pending: preparing.count) else {
            try wire.sendOnce(statement, encoded)
            return PipelineReplies.Expected(key: key, preparing: nil)
        }
        try wire.sendPrepare(name, statement)
        try wire.sendExecute(name, encoded)
        preparing[key] = name
        return PipelineReplies.Expected(key: key, preparing: name)
    }

    /// Reads the replies to one statement; `nil` after a failure, here or before.
    ///
    /// It never throws, so that every reply is read and the connection stays usable after a failed statement.
    private func receive<Output>(_ query: PostgresQuery<Output>, _ replies: inout PipelineReplies) -> Output? {
        guard let expected = replies.expected.popFirst(), !replies.wire.isBroken else { return nil }
        do throws(PostgresError) {
            if let name = expected.preparing {
                let isPrepared = try read(expected, &replies) { _ in true }
                if isPrepared == true { statements.insert(name, for: expected.key) }
            }
            return try read(expected, &replies) { result in try query.read(result) }
        } catch {
            replies.fail(error)
            return nil
        }
    }

    /// Reads one command's result and the end mark after it.
    private func read<Output>(
        _ expected: PipelineReplies.Expected, _ replies: inout PipelineReplies,
        _ body: (borrowing PostgresResult) throws -> Output
    ) throws(PostgresError) -> Output? {
        guard let result = try replies.wire.nextResult() else {
            throw replies.wire.lost("the pipeline has fewer replies than statements")
        }
        var output: Output?
        switch result.status {
        case PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY:
            if result.isRefusedCommit(of: expected.key.sql) {
                replies.fail(.refusedCommit)
            } else {
                output = decode(result, expected, &replies, body)
            }
        case PGRES_PIPELINE_ABORTED: break
        case PGRES_FATAL_ERROR:
            let error = result.error(statement: expected.key.sql)
            statements.forget(expected.key, after: error)
            replies.fail(error)
            if replies.wire.isBroken { return nil }
        default:
            // A COPY, which libpq does not support in a pipeline.
            throw replies.wire.lost("the statement has a result that is neither rows nor a count")
        }
        guard try replies.wire.nextResult() == nil else {
            throw replies.wire.lost("a statement of the pipeline has several results")
        }
        return output
    }

    private func decode<Output>(
        _ result: borrowing PostgresResult, _ expected: PipelineReplies.Expected, _ replies: inout PipelineReplies,
        _ body: (borrowing PostgresResult) throws -> Output
    ) -> Output? {
        do {
            return try body(result)
        } catch var error as PostgresError {
            error.statement = error.statement ?? expected.key.sql
            replies.fail(error)
        } catch {
            var failure = PostgresError(.decoding, "a row could not be read", statement: expected.key.sql)
            failure.underlying = error
            replies.fail(failure)
        }
        return nil
    }

    /// Reads the end of the pipeline and throws its error, if any.
    private func finish(_ replies: inout PipelineReplies) throws(PostgresError) {
        do throws(PostgresError) {
            if !replies.wire.isBroken {
                guard let end = try replies.wire.nextResult(), end.status == PGRES_PIPELINE_SYNC else {
                    throw replies.wire.lost("the end of the pipeline is missing")
                }
                try replies.wire.leavePipeline()
            }
        } catch {
            replies.fail(error)
        }
        if replies.wire.notices.takeUnconfirmedCommit() { replies.fail(.unconfirmedCommit) }
        if let failure = replies.failure { throw failed(failure) }
    }
}
