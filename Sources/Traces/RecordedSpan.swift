import Synchronization
package import Tracing

/// A span that is under way; it goes to the queue when it ends.
///
/// Of an error only its kind is kept, because messages can quote what a request holds. Events are counted and dropped:
/// ledgerd writes those to its log.
package final class RecordedSpan: Span {
    /// What tasks of the span carry.
    package let context: ServiceContext
    private let own: TraceContext
    private let parent: TraceContext?
    private let kind: SpanKind
    private let startedAt: UInt64
    private let queue: SpanQueue
    /// Nil when the trace is not sampled, and after the end.
    private let content: Mutex<Content?>

    private struct Content {
        var name: String
        var attributes: SpanAttributes = [:]
        var links: [TraceContext] = []
        var droppedLinks = 0
        var droppedEvents = 0
        var status: SpanStatus?
    }

    /// The most links of a span, as in OpenTelemetry's limits.
    private static let mostLinks = 128

    init(
        _ name: String, _ own: TraceContext, in context: ServiceContext, kind: SpanKind, startedAt: UInt64,
        queue: SpanQueue
    ) {
        var inner = context
        inner.traceContext = own
        inner.waiting = nil
        self.context = inner
        self.own = own
        self.kind = kind
        self.startedAt = startedAt
        self.queue = queue
        parent = context.traceContext
        content = Mutex(own.isSampled ? Content(name: name) : nil)
    }

    package var isRecording: Bool { content.withLock { $0 != nil } }

    package var operationName: String {
        get { content.withLock { $0?.name ?? "" } }
        set { content.withLock { $0?.name = newValue } }
    }

    package var attributes: SpanAttributes {
        get { content.withLock { $0?.attributes ?? [:] } }
        set { content.withLock { $0?.attributes = newValue } }
    }

    package func setStatus(_ status: SpanStatus) { content.withLock { $0?.status = status } }

    package func addEvent(_ event: SpanEvent) { content.withLock { $0?.droppedEvents += 1 } }

    package func recordError<Instant: TracerInstant>(
        _ error: any Error, attributes: SpanAttributes, at instant: @autoclosure () -> Instant
    ) {
        let kind = (error as? any SpanError)?.spanErrorType ?? String(reflecting: type(of: error))
        content.withLock {
            $0?.attributes["error.type"] = kind
            $0?.status = SpanStatus(code: .error)
        }
    }

    package func addLink(_ link: SpanLink) {
        guard let other = link.context.traceContext else { return }
        content.withLock { content in
            guard let count = content?.links.count else { return }
            if count < Self.mostLinks { content?.links.append(other) } else { content?.droppedLinks += 1 }
        }
    }

    package func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant) {
        guard let content = content.withLock({ $0.take() }) else { return }
        queue.append(
            FinishedSpan(
                context: own, parent: parent, name: content.name, kind: kind, startedAt: startedAt,
                endedAt: max(startedAt, instant().nanosecondsSinceEpoch), attributes: content.attributes,
                links: content.links, droppedLinks: content.droppedLinks, droppedEvents: content.droppedEvents,
                status: content.status))
    }
}

/// An error whose kind may stand in a trace.
package protocol SpanError: Error {
    /// A stable name, without anything of the request.
    var spanErrorType: String { get }
}

/// A span that has ended, as it is exported.
package struct FinishedSpan: Sendable {
    let context: TraceContext
    /// The span that it is a part of; nil for the first of a trace.
    let parent: TraceContext?
    let name: String
    let kind: SpanKind
    /// Nanoseconds since 1970.
    let startedAt: UInt64
    let endedAt: UInt64
    let attributes: SpanAttributes
    let links: [TraceContext]
    let droppedLinks: Int
    let droppedEvents: Int
    let status: SpanStatus?
}
