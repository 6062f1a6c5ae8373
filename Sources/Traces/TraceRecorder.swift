package import Tracing

/// The tracer: makes the spans of sampled traces and passes `traceparent` on.
package struct TraceRecorder: Tracer {
    /// Where spans go when they end.
    package let queue: SpanQueue
    private let sampling: TraceSampling

    package init(queue: SpanQueue, sampling: TraceSampling) {
        self.queue = queue
        self.sampling = sampling
    }

    /// Begins a span within the context's trace or, if it has none, the first span of a new trace.
    ///
    /// Who began a trace decides whether it is sampled. A span of a trace that is not records nothing.
    package func startSpan<Instant: TracerInstant>(
        _ operationName: String, context: @autoclosure () -> ServiceContext, ofKind kind: SpanKind,
        at instant: @autoclosure () -> Instant, function: String, file fileID: String, line: UInt
    ) -> RecordedSpan {
        let context = context()
        let traceID = context.traceContext?.traceID ?? .random()
        let isSampled = context.traceContext?.isSampled ?? sampling.isSampled(traceID)
        return RecordedSpan(
            operationName, TraceContext(traceID: traceID, spanID: .random(), isSampled: isSampled), in: context,
            kind: kind, startedAt: instant().nanosecondsSinceEpoch, queue: queue)
    }

    package func startAnySpan<Instant: TracerInstant>(
        _ operationName: String, context: @autoclosure () -> ServiceContext, ofKind kind: SpanKind,
        at instant: @autoclosure () -> Instant, function: String, file fileID: String, line: UInt
    ) -> any Span {
        startSpan(
            operationName, context: context(), ofKind: kind, at: instant(), function: function, file: fileID,
            line: line)
    }

    /// Does nothing: the exporter sends what ended within a second.
    package func forceFlush() {}

    package func extract<Carrier, Extract>(
        _ carrier: Carrier, into context: inout ServiceContext, using extractor: Extract
    ) where Extract: Extractor, Extract.Carrier == Carrier {
        context.traceContext = extractor.extract(key: Self.header, from: carrier)
            .flatMap(TraceContext.init(traceparent:))
    }

    package func inject<Carrier, Inject>(
        _ context: ServiceContext, into carrier: inout Carrier, using injector: Inject
    ) where Inject: Injector, Inject.Carrier == Carrier {
        guard let traceparent = context.traceContext?.traceparent else { return }
        injector.inject(traceparent, forKey: Self.header, into: &carrier)
    }

    private static let header = "traceparent"
}

/// Which traces are recorded.
package struct TraceSampling: Sendable {
    /// Below it an id's last 56 bits are sampled.
    private let threshold: UInt64

    /// - Parameter ratio: the share of the traces that begin here, 0 to 1.
    package init(ratio: Double) {
        threshold = UInt64((min(max(ratio, 0), 1) * Double(Self.range)).rounded())
    }

    /// Whether a trace that begins here is recorded.
    ///
    /// The id decides, so that services with the same ratio record the same traces (W3C Trace Context, level 2: the last
    /// 56 bits are random).
    func isSampled(_ id: TraceID) -> Bool { id.low & (Self.range - 1) < threshold }

    private static let range: UInt64 = 1 << 56
}
