import Hummingbird
import LedgerWire

/// Writes answers as JSON.
enum AnswerJSON {
    static func encode(_ value: some Encodable) throws -> ByteBuffer {
        ByteBuffer(bytes: try encoder.encode(value))
    }

    /// Configured once and never changed, so one serves all requests.
    private static let encoder = WireJSON.makeEncoder()
}

/// Encodes what controllers return.
struct JSONResponseEncoder: ResponseEncoder {
    func encode(_ value: some Encodable, from _: Request, context _: some RequestContext) throws -> Response {
        try Response(json: value)
    }
}

extension Response {
    /// A JSON answer, for when status or headers must be said beside the value.
    init(status: HTTPResponse.Status = .ok, headers: HTTPFields = [:], json value: some Encodable) throws {
        self.init(status: status, headers: headers, encodedJSON: try AnswerJSON.encode(value))
    }

    /// A JSON answer of a body that writes itself.
    ///
    /// It has the parameters of the one above and no more, or that one would be taken.
    init(status: HTTPResponse.Status = .ok, headers: HTTPFields = [:], json value: some JSONWritten) {
        self.init(status: status, headers: headers, encodedJSON: value.written())
    }

    /// A JSON answer of these bytes, with their entity tag.
    init(status: HTTPResponse.Status = .ok, headers: HTTPFields = [:], encodedJSON body: ByteBuffer) {
        var headers = headers
        headers[.contentType] = "application/json; charset=utf-8"
        if status == .ok { headers[.eTag] = EntityTag(of: body).text }
        self.init(status: status, headers: headers, body: .init(byteBuffer: body))
    }
}
