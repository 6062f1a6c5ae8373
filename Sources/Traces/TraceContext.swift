package import Tracing

/// A span's place: its trace, its own id, and whether the trace is sampled.
///
/// It is what the header `traceparent` carries from one service to the next (W3C Trace Context, level 1).
package struct TraceContext: Hashable, Sendable {
    package let traceID: TraceID
    package let spanID: SpanID
    /// Whether the spans of the trace are recorded.
    package let isSampled: Bool
    /// Whether another service named it.
    package let isRemote: Bool

    package init(traceID: TraceID, spanID: SpanID, isSampled: Bool, isRemote: Bool = false) {
        self.traceID = traceID
        self.spanID = spanID
        self.isSampled = isSampled
        self.isRemote = isRemote
    }
}

/// The id of a trace: 128 bits, not all zero.
package struct TraceID: Hashable, Sendable, CustomStringConvertible {
    let high: UInt64
    let low: UInt64

    /// Nil when all bits are zero.
    init?(high: UInt64, low: UInt64) {
        guard high != 0 || low != 0 else { return nil }
        self.high = high
        self.low = low
    }

    static func random() -> TraceID {
        while true {
            if let id = TraceID(high: .random(in: .min ... .max), low: .random(in: .min ... .max)) { return id }
        }
    }

    /// 32 hexadecimal digits.
    package var description: String { Hexadecimal.text(of: high) + Hexadecimal.text(of: low) }
}

/// The id of a span: 64 bits, not all zero.
package struct SpanID: Hashable, Sendable, CustomStringConvertible {
    let value: UInt64

    /// Nil when all bits are zero.
    init?(_ value: UInt64) {
        guard value != 0 else { return nil }
        self.value = value
    }

    static func random() -> SpanID {
        while true {
            if let id = SpanID(.random(in: .min ... .max)) { return id }
        }
    }

    /// 16 hexadecimal digits.
    package var description: String { Hexadecimal.text(of: value) }
}

extension ServiceContext {
    /// The span that this task runs in, or that another service named as its own; nil outside of any trace.
    package var traceContext: TraceContext? {
        get { self[TraceContextKey.self] }
        set { self[TraceContextKey.self] = newValue }
    }

    private enum TraceContextKey: ServiceContextKey {
        typealias Value = TraceContext
    }
}
