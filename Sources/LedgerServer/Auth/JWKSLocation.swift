import FoundationEssentials
import OutboundHTTP

/// The file or URL of the JWKS with the keys of access tokens.
enum JWKSLocation: Sendable, Equatable {
    case file(String)
    case url(HTTPURL)

    /// Parses an `http` or `https` URL; any other text is a path.
    init?(text: String) {
        if text.hasPrefix("https://") || text.hasPrefix("http://") {
            guard let url = try? HTTPURL(text) else { return nil }
            self = .url(url)
        } else {
            guard !text.isEmpty else { return nil }
            self = .file(text)
        }
    }

    /// How long a document may take: requests with a token that names an unknown key wait for it.
    private static let timeLimit: Duration = .seconds(5)

    /// Reads the document.
    ///
    /// - Throws: ``ConfigurationError`` when it can't be read.
    func read(_ transport: CurlTransport) async throws(ConfigurationError) -> Data {
        switch self {
        case .file(let path):
            guard let data = try? Data(contentsOf: URL(filePath: path)) else {
                throw .conflict("jwt_jwks", "jwt_jwks: \(path) can't be read")
            }
            return data
        case .url(let url):
            let response: HTTPResponse
            do {
                response = try await transport.send(
                    HTTPRequest(
                        .get, url, headers: [("Accept", "application/json")], totalTimeout: Self.timeLimit))
            } catch {
                throw .conflict("jwt_jwks", "jwt_jwks can't be fetched: \(error)")
            }
            guard response.status == 200 else {
                throw .conflict("jwt_jwks", "jwt_jwks can't be fetched: the response has status \(response.status)")
            }
            return Data(response.body)
        }
    }
}
