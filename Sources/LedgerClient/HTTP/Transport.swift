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
            for try await answer in answers(to: request) { return answer }
            throw URLError(.cancelled)
        } catch {
            try Task.checkCancellation()
            throw LedgerClientError.transport(error)
        }
    }

    /// Sends a request, and yields the answer unless the caller is cancelled first.
    ///
    /// The task that waits for Foundation is never cancelled: on Linux, `data(for:)` cancels its request with the lock of
    /// the Swift task held, and waits for the session's queue, which waits for that lock to resume the task if the
    /// response comes at the same moment. So a caller that is cancelled leaves at once, and its request ends at the
    /// latest after the timeout.
    private func answers(to request: URLRequest) -> AsyncThrowingStream<ServiceAnswer, any Error> {
        AsyncThrowingStream { [session] answers in
            Task {
                do {
                    let (body, response) = try await session.data(for: request)
                    guard let response = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
                    answers.yield(ServiceAnswer(response, body: body))
                    answers.finish()
                } catch {
                    answers.finish(throwing: error)
                }
            }
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
