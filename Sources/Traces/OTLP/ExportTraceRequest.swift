package import Tracing

/// The body of a request to a collector: `ExportTraceServiceRequest` of OTLP 1, in binary Protocol Buffers.
///
/// The numbers are those of opentelemetry-proto's `trace.proto`, `common.proto` and `resource.proto`.
package enum ExportTraceRequest {
    /// The media type of the body.
    package static let contentType = "application/x-protobuf"

    /// - Parameters:
    ///   - resource: what the process is.
    ///   - version: of the program.
    package static func body(_ spans: [FinishedSpan], resource: SpanAttributes, version: String) -> [UInt8] {
        var request = ProtobufWriter()
        request.field(1) { resourceSpans in
            resourceSpans.field(1) { $0.attributes(1, resource) }
            resourceSpans.field(2) { scopeSpans in
                scopeSpans.field(1) { scope in
                    scope.field(1, "ledgerd")
                    scope.field(2, version)
                }
                for span in spans { scopeSpans.field(2) { $0.write(span) } }
            }
        }
        return request.bytes
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

    fileprivate mutating func attributes(_ number: UInt64, _ attributes: SpanAttributes) {
        attributes.forEach { name, value in
            field(number) { pair in
                pair.field(1, name)
                pair.field(2) { $0.write(value) }
            }
        }
    }

    /// An `AnyValue`; what we do not use is written as text.
    private mutating func write(_ value: SpanAttribute) {
        switch value {
        case .string(let text): field(1, text)
        case .bool(let value): field(2, varint: value ? 1 : 0)
        case .int32(let number): field(3, varint: UInt64(bitPattern: Int64(number)))
        case .int64(let number): field(3, varint: UInt64(bitPattern: number))
        case .double(let number): field(4, fixed64: number.bitPattern)
        case .stringConvertible(let value): field(1, "\(value)")
        default: field(1, "\(value)")
        }
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
