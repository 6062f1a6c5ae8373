import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Sends requests over its own session, without cookies, cache and redirects.
final class Transport: Sendable {
    private let session: URLSession

    init(timeout: TimeInterval) {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = timeout
        configuration.timeoutIntervalForResource = timeout
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        session = URLSession(configuration: configuration, delegate: NoRedirects(), delegateQueue: nil)
    }

    deinit { session.finishTasksAndInvalidate() }

    /// - Throws: `LedgerClientError.transport` if there is no response; `CancellationError`.
    func send(_ request: URLRequest) async throws -> ServiceAnswer {
        do {
            let (body, response) = try await session.data(for: request)
            guard let response = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
            return ServiceAnswer(response, body: body)
        } catch {
            try Task.checkCancellation()
            throw LedgerClientError.transport(error)
        }
    }
}

/// The service never redirects; another server must not get the token.
private final class NoRedirects: NSObject, URLSessionTaskDelegate {
    func urlSession(
        _: URLSession, task _: URLSessionTask, willPerformHTTPRedirection _: HTTPURLResponse, newRequest _: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }
}

extension LedgerClientError {
    /// Whether a retry can't help: the address or the certificate is wrong.
    static func isHopeless(_ error: any Error) -> Bool {
        switch (error as? URLError)?.code {
        case .badURL, .unsupportedURL, .serverCertificateUntrusted, .serverCertificateHasBadDate,
            .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
            .clientCertificateRequired, .appTransportSecurityRequiresSecureConnection:
            true
        default: false
        }
    }
}
