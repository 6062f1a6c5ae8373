import Testing
import Tracing

@testable import Traces

@Suite(.timeLimit(.minutes(20))) struct TracedTests {
    private let recorder = TraceRecorder(queue: SpanQueue(), sampling: TraceSampling(ratio: 1))

    @Test func `outside of a trace nothing is recorded, and neither name nor attributes are computed`() async {
        func unwanted<Value>(_ value: Value) -> Value {
            Issue.record("computed")
            return value
        }
        await withTracer(recorder) {
            await traced(unwanted("name"), unwanted(["a": 1])) { span in
                #expect(span == nil && ServiceContext.current == nil)
            }
        }
        #expect(recorder.queue.take().isEmpty)
    }

    @Test func `a trace that is not sampled records nothing`() async {
        let recorder = TraceRecorder(queue: SpanQueue(), sampling: TraceSampling(ratio: 0))
        await withTracer(recorder) {
            await tracedAnew("work") { await traced("part") { #expect($0 == nil) } }
        }
        #expect(recorder.queue.take().isEmpty)
    }

    @Test func `spans within spans are parts of one trace`() async throws {
        await withTracer(recorder) {
            await tracedAnew("work") {
                await traced("first", ofKind: .client, ["n": 1]) { _ in await traced("inner") { _ in } }
                await traced("second") { _ in }
            }
        }
        let spans = recorder.queue.take()
        #expect(spans.map(\.name) == ["inner", "first", "second", "work"])
        #expect(Set(spans.map(\.context.traceID)).count == 1)
        let parents = spans.map { span in spans.first { $0.context.spanID == span.parent?.spanID }?.name }
        #expect(parents == ["first", "work", "work", nil])
        #expect(spans[1].attributes["n"]?.toSpanAttribute() == 1 && spans[1].status == nil)
        #expect(spans.allSatisfy { $0.endedAt >= $0.startedAt && $0.startedAt > 1_700_000_000_000_000_000 })
    }

    @Test func `of an error a span keeps the kind and not the words`() async throws {
        _ = await withTracer(recorder) {
            await #expect(throws: Spoken.self) {
                try await tracedAnew("work") { () throws(Spoken) in
                    try await traced("part") { _ throws(Spoken) in throw Spoken(words: "the user ann") }
                }
            }
        }
        let spans = recorder.queue.take()
        #expect(spans.count == 2)
        for span in spans {
            #expect(span.status == SpanStatus(code: .error))
            #expect(span.attributes["error.type"]?.toSpanAttribute() == "spoken")
            #expect(!"\(span)".contains("ann"))
        }
    }

    private struct Spoken: SpanError {
        let words: String
        var spanErrorType: String { "spoken" }
    }

    @Test func `work for several callers is in the first one's trace, with links to all and back`() async throws {
        let callers = ["ann", "bob", "eve"].map {
            recorder.startSpan($0, context: .topLevel, ofKind: .internal)
        }
        await withTracer(recorder) {
            await inTrace(ofAll: [nil] + callers) {
                await traced("batch") { _ in await traced("commit") { _ in } }
            }
        }
        for caller in callers { caller.end() }
        let spans = recorder.queue.take()
        #expect(spans.map(\.name) == ["commit", "batch", "ann", "bob", "eve"])
        let batch = spans[1]
        #expect(batch.parent == callers[0].context.traceContext)
        #expect(batch.links == callers.map(\.context.traceContext))
        #expect(spans[2...].allSatisfy { $0.links == [batch.context] })
        #expect(spans[0].links.isEmpty && spans[0].parent == batch.context)
    }

    @Test func `work for nobody who is traced is in no trace, whatever the task inherits`() async {
        await withTracer(recorder) {
            await tracedAnew("work") {
                await inTrace(ofAll: [nil, nil]) { await traced("batch") { #expect($0 == nil) } }
                await inTrace(of: nil) { await traced("batch") { #expect($0 == nil) } }
            }
        }
        #expect(recorder.queue.take().map(\.name) == ["work"])
    }

    @Test func `links are bounded, and those left out are counted`() throws {
        let span = recorder.startSpan("batch", context: .topLevel, ofKind: .internal)
        for _ in 0..<1000 {
            let other = recorder.startSpan("post", context: .topLevel, ofKind: .internal)
            span.addLink(SpanLink(context: other.context, attributes: [:]))
        }
        span.end()
        span.end()
        span.addLink(SpanLink(context: span.context, attributes: [:]))
        let spans = recorder.queue.take()
        #expect(spans.count == 1 && spans[0].links.count == 128 && spans[0].droppedLinks == 872)
    }

    @Test func `the queue is bounded, and signals when a batch is ready`() async throws {
        await confirmation(expectedCount: 1) { ready in
            let recorder = TraceRecorder(
                queue: SpanQueue(capacity: 1000) { ready() }, sampling: TraceSampling(ratio: 1))
            for _ in 0..<1500 { recorder.startSpan("work", context: .topLevel, ofKind: .internal).end() }
            #expect(recorder.queue.count == 1000)
            #expect([512, 488, 0].allSatisfy { recorder.queue.take().count == $0 })
        }
    }
}
