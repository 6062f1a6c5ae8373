package import Hummingbird
import WireFormats

/// Reads and decodes a JSON request body.
///
/// `request.decode(as:context:)` does both. A controller that also needs the bytes, to compare repeated requests, calls
/// ``read(_:limit:)`` and then ``decode(_:from:)``.
enum JSONBody {
    /// The body's bytes.
    ///
    /// - Throws: `unsupported_media_type` for another content type than JSON in UTF-8, but not for a missing one;
    ///   `body_too_large` for a body above the limit, before it is read if its length is announced.
    static func read(_ request: Request, limit: Int = LedgerdRequestContext.maxBodySize) async throws -> ByteBuffer {
        try checkContentType(request.headers[.contentType])
        return try await request.wholeBody(limit: limit)
    }

    /// Decodes the bytes.
    ///
    /// - Parameter droppingNulls: whether members with `null` count as left out, also where ``AllIfAbsent`` refuses it.
    /// - Throws: `malformed_json`; `unknown_member`, `repeated_member`, `missing_member`, `wrong_type` or
    ///   `invalid_request` with the member's pointer.
    static func decode<Value: Decodable>(
        _: Value.Type, from buffer: ByteBuffer, droppingNulls: Bool = false
    ) throws(Problem) -> Value {
        guard buffer.readableBytes > 0 else { throw Problem(.malformedJSON, "the body is empty") }
        var json: JSON
        do throws(JSONParser.Malformed) {
            json = try JSONParser.parse(Array(buffer.readableBytesView))
        } catch {
            throw Problem(error)
        }
        if droppingNulls, case .object(let members) = json { json = .object(members.filter { $0.value != .null }) }
        do {
            return try BodyDecoder(json).decode(Value.self)
        } catch {
            throw Problem(any: error)  // the decoder or a member's type has thrown a problem
        }
    }

    private static func checkContentType(_ header: String?) throws(Problem) {
        guard let header else { return }
        let parts = header.split(separator: ";").map { $0.trimmingWhitespace().lowercased() }
        guard parts.first == "application/json" else {
            throw Problem(.unsupportedMediaType, "the content type must be application/json")
        }
        for parameter in parts.dropFirst() where parameter.hasPrefix("charset=") {
            guard ["utf-8", "utf8", "\"utf-8\""].contains(parameter.dropFirst("charset=".count)) else {
                throw Problem(.unsupportedMediaType, "the charset must be utf-8")
            }
        }
    }
}

/// Decodes request bodies for `request.decode(as:context:)`.
package struct JSONBodyDecoder: RequestDecoder {
    package func decode<T: Decodable>(
        _ type: T.Type, from request: Request, context: some RequestContext
    ) async throws -> T {
        let buffer = try await JSONBody.read(request, limit: context.maxUploadSize)
        return try JSONBody.decode(type, from: buffer)
    }
}

extension Substring {
    fileprivate func trimmingWhitespace() -> Substring {
        let start = drop { $0 == " " || $0 == "\t" }
        guard let last = start.lastIndex(where: { $0 != " " && $0 != "\t" }) else { return "" }
        return start[...last]
    }
}
