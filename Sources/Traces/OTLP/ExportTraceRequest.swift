package import Tracing

/// The body of a request with spans: `ExportTraceServiceRequest` of OTLP 1, with the numbers of `trace.proto`.
package enum ExportTraceRequest {
    /// - Parameters:
    ///   - resource: what the process is.
    ///   - version: of the program.
    package static func body(_ spans: [FinishedSpan], resource: SpanAttributes, version: String) -> [UInt8] {
        ExportRequest.body(of: resource, version: version) { scope in
            for span in spans { scope.field(2) { $0.write(span) } }
        }
    }
}

extension ProtobufWriter {
    fileprivate mutating func write(_ span: FinishedSpan) {
        ids(of: span.context)
        if let parent = span.parent { field(4, Self.bigEndian(parent.spanID.value)) }
        field(5, span.name)
        field(6, varint: span.kind.number)
        field(7, fixed64: span.startedAt)
        field(8, fixed64: span.endedAt)
        attributes(9, span.attributes)
        if span.droppedEvents > 0 { field(12, varint: UInt64(span.droppedEvents)) }
        for link in span.links {
            field(13) { writer in
                writer.ids(of: link)
                writer.field(6, fixed32: link.flags)
            }
        }
        if span.droppedLinks > 0 { field(14, varint: UInt64(span.droppedLinks)) }
        if let status = span.status {
            field(15) { writer in
                if let message = status.message { writer.field(2, message) }
                writer.field(3, varint: status.code == .error ? 2 : 1)
            }
        }
        // Whether the parent is remote stands in the child's flags.
        let isParentRemote = span.parent?.isRemote ?? false
        field(16, fixed32: span.context.flags | (isParentRemote ? TraceContext.remoteFlag : 0))
    }

    private mutating func ids(of context: TraceContext) {
        field(1, Self.bigEndian(context.traceID.high) + Self.bigEndian(context.traceID.low))
        field(2, Self.bigEndian(context.spanID.value))
    }
}

extension TraceContext {
    /// The flags of W3C, and that the span's origin is known.
    fileprivate var flags: UInt32 { (isSampled ? 1 : 0) | 0x100 | (isRemote ? Self.remoteFlag : 0) }

    fileprivate static let remoteFlag: UInt32 = 0x200
}

extension SpanKind {
    fileprivate var number: UInt64 {
        switch self {
        case .internal: 1
        case .server: 2
        case .client: 3
        case .producer: 4
        case .consumer: 5
        }
    }
}
