import Crypto
import FoundationEssentials
import HTTPTypes
import Hummingbird
import SandboxSupport

/// Returns the first response to a repeated request, including errors.
struct IdempotencyMiddleware: RouterMiddleware {
    let shelf: IdempotencyShelf

    func handle(
        _ request: Request, context: SandboxRequestContext,
        next: (Request, SandboxRequestContext) async throws -> Response
    ) async throws -> Response {
        guard request.method != .get, let header = request.headers[.idempotencyKey] else {
            try await context.stallAsTold()
            return try await next(request, context)
        }
        let key = try Self.key(header)
        var request = request
        let body = try await request.collectBody(upTo: Request.maxBodyBytes)
        let fingerprint = IdempotencyShelf.Fingerprint(
            method: request.method.rawValue, path: request.uri.string,
            body: Data(SHA256.hash(data: Data(body.readableBytesView))))
        if let answer = try await shelf.begin(key, fingerprint) { return answer.response }
        do {
            try await context.stallAsTold()
            let response = try await next(request, context)
            let answer = V2Answer(status: response.status.code, body: String(buffer: try await response.bytes()))
            await shelf.end(key, answer)
            return answer.response
        } catch let refusal as V2Refusal {
            await shelf.end(key, refusal.answer)
            throw refusal
        } catch {
            await shelf.end(key, nil)
            throw error
        }
    }

    /// Reads an RFC 8941 string: 16 to 256 ASCII characters in double quotes.
    private static func key(_ header: String) throws(V2Refusal) -> String {
        let bytes = Array(header.utf8)
        let inner = bytes.dropFirst().dropLast()
        guard bytes.count >= 2, bytes.first == UInt8(ascii: "\""), bytes.last == UInt8(ascii: "\""),
            (16...256).contains(inner.count), inner.allSatisfy({ (0x20..<0x7f).contains($0) && $0 != 0x22 })
        else {
            throw .invalid("Idempotency-Key must be a quoted string of 16 to 256 ASCII characters")
        }
        return String(decoding: inner, as: UTF8.self)
    }
}
