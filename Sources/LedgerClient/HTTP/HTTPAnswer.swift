import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A response of the service or of an intermediary.
struct HTTPAnswer: Sendable {
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

    /// The error of a response that is not a success.
    var refusal: LedgerClientError? {
        if (200..<300).contains(status) { return nil }
        guard contentType.hasPrefix("application/problem+json") else {
            return .undecodable(status: status, reason: "unexpected content type \(contentType)")
        }
        do {
            return .problem(try decode(), retryAfter: retryAfter)
        } catch {
            return error
        }
    }

    /// The decoded body.
    func decode<Body: Decodable>(_: Body.Type = Body.self) throws(LedgerClientError) -> Body {
        do {
            return try WireJSON.makeDecoder().decode(Body.self, from: body)
        } catch {
            throw .undecodable(status: status, reason: "\(error)")
        }
    }
}
