package import Hummingbird
import LedgerWire

/// Writes responses as JSON.
enum AnswerJSON {
    static func encode(_ value: some Encodable) throws -> ByteBuffer {
        ByteBuffer(bytes: try encoder.encode(value))
    }

    /// Shared by all requests, because it is never changed.
    private static let encoder = WireJSON.makeEncoder()
}

/// Encodes the results of controllers.
package struct JSONResponseEncoder: ResponseEncoder {
    package func encode(_ value: some Encodable, from _: Request, context _: some RequestContext) throws -> Response {
        try Response(json: value)
    }
}

extension Response {
    /// A JSON response with a status and headers.
    init(status: HTTPResponse.Status = .ok, headers: HTTPFields = [:], json value: some Encodable) throws {
        self.init(status: status, headers: headers, encodedJSON: try AnswerJSON.encode(value))
    }

    /// A JSON response with a body that writes itself.
    ///
    /// It must have the same parameters as the initializer above, because the compiler would prefer that one otherwise.
    init(status: HTTPResponse.Status = .ok, headers: HTTPFields = [:], json value: some JSONWritten) {
        self.init(status: status, headers: headers, encodedJSON: value.written())
    }

    /// A JSON response with encoded bytes and their entity tag.
    init(status: HTTPResponse.Status = .ok, headers: HTTPFields = [:], encodedJSON body: ByteBuffer) {
        var headers = headers
        headers[.contentType] = "application/json; charset=utf-8"
        if status == .ok { headers[.eTag] = EntityTag(of: body).text }
        self.init(status: status, headers: headers, body: .init(byteBuffer: body))
    }
}
