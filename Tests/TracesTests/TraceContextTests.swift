import Testing
import Tracing

@testable import Traces

@Suite(.timeLimit(.minutes(20))) struct TraceContextTests {
    private static let sampled = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

    @Test func `a traceparent is read and written`() throws {
        let context = try #require(TraceContext(traceparent: Self.sampled))
        #expect("\(context.traceID)" == "4bf92f3577b34da6a3ce929d0e0e4736")
        #expect("\(context.spanID)" == "00f067aa0ba902b7")
        #expect(context.isSampled && context.isRemote)
        #expect(context.traceparent == Self.sampled)
    }

    @Test func `of the flags only the sampled one counts`() throws {
        for (flags, isSampled) in [("00", false), ("01", true), ("02", false), ("03", true), ("ff", true)] {
            let text = Self.sampled.dropLast(2) + flags
            #expect(try #require(TraceContext(traceparent: String(text))).isSampled == isSampled, "\(flags)")
        }
    }

    @Test func `a later version may add fields`() {
        let later = "cc" + Self.sampled.dropFirst(2)
        #expect(TraceContext(traceparent: later) != nil)
        #expect(TraceContext(traceparent: later + "-what-comes") != nil)
        #expect(TraceContext(traceparent: later + "what-comes") == nil)
    }

    @Test(arguments: [
        "", "00", "hello", sampled + "-", sampled + "-00", String(sampled.dropLast()), sampled.uppercased(),
        "ff" + sampled.dropFirst(2),
        "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
        "00-4bf92f3577b34da6a3ce929d0e0e473g-00f067aa0ba902b7-01",
        "00_4bf92f3577b34da6a3ce929d0e0e4736_00f067aa0ba902b7_01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-0x",
        "0-04bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        " " + sampled, sampled + " ", String(repeating: "0", count: 100_000),
        "00-４bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
    ])
    func `a malformed traceparent is none`(text: String) {
        #expect(TraceContext(traceparent: text) == nil)
    }

    @Test func `the ratio decides by the id, so that services agree`() throws {
        let ids = (0..<20_000).map { _ in TraceID.random() }
        #expect(ids.allSatisfy(TraceSampling(ratio: 1).isSampled))
        #expect(!ids.contains(where: TraceSampling(ratio: 0).isSampled))
        let quarter = ids.count(where: TraceSampling(ratio: 0.25).isSampled)
        #expect((4_500...5_500).contains(quarter), "\(quarter)")
        let half = TraceSampling(ratio: 0.5)
        #expect(ids.filter(TraceSampling(ratio: 0.25).isSampled).allSatisfy(half.isSampled))
    }

    @Test func `a trace that is passed on keeps its id and its sampling`() {
        let recorder = TraceRecorder(queue: SpanQueue(), sampling: TraceSampling(ratio: 0))
        for (flag, isRecording) in [("01", true), ("00", false)] {
            var context = ServiceContext.topLevel
            recorder.extract(
                ["traceparent": Self.sampled.dropLast(2) + flag], into: &context, using: DictionaryCarrier())
            let span = recorder.startSpan("request", context: context, ofKind: .server)
            #expect(span.isRecording == isRecording)
            var headers: [String: String] = [:]
            recorder.inject(span.context, into: &headers, using: DictionaryCarrier())
            let passedOn = headers["traceparent"].flatMap(TraceContext.init(traceparent:))
            #expect("\(passedOn?.traceID ?? .random())" == "4bf92f3577b34da6a3ce929d0e0e4736")
            #expect(passedOn?.isSampled == isRecording && passedOn?.spanID == span.context.traceContext?.spanID)
        }
    }
}

private struct DictionaryCarrier: Extractor, Injector {
    func extract(key: String, from carrier: [String: String]) -> String? { carrier[key] }
    func inject(_ value: String, forKey key: String, into carrier: inout [String: String]) { carrier[key] = value }
}
