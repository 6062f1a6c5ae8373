import Postgres
import Traces
import Tracing

/// An act in a posting queue, with the span of its caller's trace that waits for it, if it has one.
struct QueuedAct: Sendable {
    let act: any Act
    let span: (any Span)?
}

/// Traces an act from its arrival at the queue to its answer, as the span `post`.
func tracePosting(
    _ act: any Act, _ submit: (QueuedAct) async throws(LedgerError) -> any AnyAnswer
) async throws(LedgerError) -> any AnyAnswer {
    try await traced("post", ["ledgerd.act": "\(type(of: act))"]) { span throws(LedgerError) in
        let answer = try await submit(QueuedAct(act: act, span: span))
        span?.attributes["ledgerd.repeat"] = answer.isRepeat
        span?.attributes["ledgerd.refused"] = answer.refusal != nil
        return answer
    }
}

/// Traces a batch as one span, a part of its first act's trace, with a link to each act's span and back.
func traceBatch<Answer>(_ acts: [QueuedAct], _ post: () async -> Answer) async -> Answer {
    await inTrace(ofAll: acts.map(\.span)) {
        await traced("batch", ["ledgerd.batch.acts": .int64(Int64(acts.count))]) { _ in await post() }
    }
}

/// Traces a round trip to the database.
func traceRoundTrip<Answer>(
    _ name: String, isolation: isolated (any Actor)? = #isolation, _ run: () async throws(PostgresError) -> Answer
) async throws(PostgresError) -> Answer {
    try await traced(name, ofKind: .client, ["db.system.name": "postgresql"]) { _ throws(PostgresError) in
        try await run()
    }
}

extension PostgresError: SpanError {
    package var spanErrorType: String { sqlState?.rawValue ?? code.description }
}

extension LedgerError: SpanError {
    package var spanErrorType: String { code.description }
}
