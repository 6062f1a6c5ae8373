import Tracing

/// What all requests to a collector have in common: OTLP 1 over HTTP, in binary Protocol Buffers.
///
/// The numbers are those of opentelemetry-proto's `common.proto` and `resource.proto`; spans and metrics stand in messages
/// of the same form.
package enum ExportRequest {
    /// The media type of a body.
    package static let contentType = "application/x-protobuf"

    /// The body of a request about one resource, with one scope.
    ///
    /// - Parameters:
    ///   - resource: what the process is.
    ///   - version: of the program.
    ///   - writeItems: writes the spans or metrics of the scope, each as field 2.
    static func body(
        of resource: SpanAttributes, version: String, _ writeItems: (inout ProtobufWriter) -> Void
    ) -> [UInt8] {
        var request = ProtobufWriter()
        request.field(1) { ofResource in
            ofResource.field(1) { $0.attributes(1, resource) }
            ofResource.field(2) { ofScope in
                ofScope.field(1) { scope in
                    scope.field(1, "ledgerd")
                    scope.field(2, version)
                }
                writeItems(&ofScope)
            }
        }
        return request.bytes
    }
}

extension ProtobufWriter {
    mutating func attributes(_ number: UInt64, _ attributes: SpanAttributes) {
        attributes.forEach { name, value in attribute(number, name) { $0.write(value) } }
    }

    /// A `KeyValue`.
    mutating func attribute(_ number: UInt64, _ name: String, _ writeValue: (inout ProtobufWriter) -> Void) {
        field(number) { pair in
            pair.field(1, name)
            pair.field(2, writeValue)
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
