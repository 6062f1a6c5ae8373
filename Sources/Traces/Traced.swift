package import Tracing

/// Runs `body` as a span of the trace that this task is in; outside of any trace, only runs it.
///
/// Without a trace it neither allocates nor computes the name and the attributes.
///
/// - Parameters:
///   - name: one of few: it holds nothing of a request.
///   - attributes: what the span tells; no secrets, and no ids of users or payments.
///   - body: is given the span, or nil outside of a trace. An error that it throws marks the span.
package func traced<Answer, Failure: Error>(
    _ name: @autoclosure () -> String, ofKind kind: SpanKind = .internal,
    _ attributes: @autoclosure () -> SpanAttributes = [:], isolation: isolated (any Actor)? = #isolation,
    _ body: ((any Span)?) async throws(Failure) -> Answer
) async throws(Failure) -> Answer {
    guard let context = ServiceContext.current, context.traceContext?.isSampled == true else {
        return try await body(nil)
    }
    let span = InstrumentationSystem.tracer.startSpan(name(), context: context, ofKind: kind)
    span.attributes = attributes()
    for other in context.waiting ?? [] {
        span.addLink(SpanLink(context: other.context, attributes: [:]))
        other.addLink(SpanLink(context: span.context, attributes: [:]))
    }
    defer { span.end() }
    let result: Result<Answer, Failure> = await ServiceContext.$current.withValue(span.context) {
        _ = isolation
        do throws(Failure) { return .success(try await body(span)) } catch { return .failure(error) }
    }
    if case .failure(let error) = result { span.recordError(error) }
    return try result.get()
}

/// Runs `body` as the first span of a new trace, if tracing is on and the trace is sampled.
package func tracedAnew<Answer, Failure: Error>(
    _ name: @autoclosure () -> String, isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws(Failure) -> Answer
) async throws(Failure) -> Answer {
    let tracer = InstrumentationSystem.tracer
    guard !(tracer is NoOpTracer) else { return try await body() }
    let span = tracer.startSpan(name(), context: .topLevel, ofKind: .internal)
    defer { span.end() }
    let result: Result<Answer, Failure> = await ServiceContext.$current.withValue(span.context) {
        _ = isolation
        do throws(Failure) { return .success(try await body()) } catch { return .failure(error) }
    }
    if case .failure(let error) = result { span.recordError(error) }
    return try result.get()
}

/// Runs `body` in the trace of a span; without one, outside of any trace, whatever the task has inherited.
package func inTrace<Answer>(
    of span: (any Span)?, isolation: isolated (any Actor)? = #isolation, _ body: () async -> Answer
) async -> Answer {
    guard span != nil || ServiceContext.current != nil else { return await body() }
    return await ServiceContext.$current.withValue(span?.context) {
        _ = isolation
        return await body()
    }
}

/// Runs `body` for all callers that wait for it.
///
/// The spans in it are part of the first caller's trace; they and the other callers' spans have links to each other.
/// Without a caller whose trace is sampled, `body` runs outside of any trace, whatever the task has inherited.
package func inTrace<Answer>(
    ofAll callers: [(any Span)?], isolation: isolated (any Actor)? = #isolation, _ body: () async -> Answer
) async -> Answer {
    let spans = callers.compactMap(\.self)
    var context = spans.first?.context
    guard context != nil || ServiceContext.current != nil else { return await body() }
    context?.waiting = spans
    return await ServiceContext.$current.withValue(context) {
        _ = isolation
        return await body()
    }
}

extension ServiceContext {
    /// The spans that wait for what the next span does, the parent's among them.
    var waiting: [any Span]? {
        get { self[WaitingKey.self] }
        set { self[WaitingKey.self] = newValue }
    }

    private enum WaitingKey: ServiceContextKey {
        typealias Value = [any Span]
    }
}
