import Tracing

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
