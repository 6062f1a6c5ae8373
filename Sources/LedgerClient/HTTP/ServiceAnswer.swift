import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A response from the service, or from a proxy in front of it.
struct ServiceAnswer: Sendable {
    let status: Int
    let body: Data
    private let contentType: String
    private let retryAfter: TimeInterval?

    init(_ response: HTTPURLResponse, body: Data) {
        status = response.statusCode
        self.body = body
        contentType = response.value(forHTTPHeaderField: "Content-Type") ?? ""
        retryAfter = response.value(forHTTPHeaderField: "Retry-After").flatMap(TimeInterval.init).map { max($0, 0) }
    }

    /// The error, unless the status is 2xx.
    var refusal: LedgerClientError? {
        if (200..<300).contains(status) { return nil }
        guard contentType.hasPrefix("application/problem+json") else {
            return .undecodable(status: status, reason: "the content type is '\(contentType)', not a problem")
        }
        do {
            return .problem(try decode(), retryAfter: retryAfter)
        } catch {
            return error
        }
    }

    /// Decodes the body.
    func decode<Body: Decodable>(_: Body.Type = Body.self) throws(LedgerClientError) -> Body {
        do {
            return try WireJSON.makeDecoder().decode(Body.self, from: body)
        } catch {
            throw .undecodable(status: status, reason: "\(error)")
        }
    }
}
