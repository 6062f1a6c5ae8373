import Hummingbird

/// An error of the domain that knows which problem it is.
///
/// ```swift
/// extension LedgerError: ProblemConvertible { var problem: Problem { … } }
/// ```
protocol ProblemConvertible: Error {
    var problem: Problem { get }
}

extension Problem {
    /// The problem that any thrown error is answered with.
    ///
    /// An error nobody foresaw is `internal`, and its text stays in the log: it may hold SQL, paths or secrets. A
    /// `DecodingError` is one of them: ``JSONBody`` has made a problem of those that the request is to blame for, and
    /// what is left comes from a row or a gateway's answer, for which no client may be told that a member is missing.
    init(_ error: any Error) {
        switch error {
        case let problem as Problem: self = problem
        case let convertible as any ProblemConvertible: self = convertible.problem
        case is CancellationError: self.init(.shuttingDown)
        case let http as HTTPError: self.init(status: http.status, detail: http.body)
        case let http as any HTTPResponseError: self.init(status: http.status, detail: nil)
        default: self.init(.internal)
        }
    }

    /// What Hummingbird refuses by itself.
    private init(status: HTTPResponse.Status, detail: String?) {
        switch status {
        case .notFound: self.init(.notFound)
        case .methodNotAllowed: self.init(.methodNotAllowed)
        case .contentTooLarge: self = .bodyTooLarge(limit: LedgerdRequestContext.maxBodySize)
        case .unsupportedMediaType: self.init(.unsupportedMediaType, detail)
        case .unauthorized: self = .tokenMissing
        case .forbidden: self.init(.forbidden)
        case .tooManyRequests, .serviceUnavailable: self.init(.overloaded)
        default:
            self.init(
                status.kind == .clientError ? .invalidRequest : .internal, status.kind == .clientError ? detail : nil)
        }
    }

    /// - Parameter limit: the largest body read, in bytes.
    static func bodyTooLarge(limit: Int) -> Problem {
        Problem(
            .bodyTooLarge, "the body may hold \(limit) bytes at most", members: ["max_bytes": .integer(Int64(limit))])
    }
}
