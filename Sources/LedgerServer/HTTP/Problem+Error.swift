import Hummingbird
import Ledger

/// An error that can be converted to a problem.
///
/// ```swift
/// extension LedgerError: ProblemConvertible { var problem: Problem { … } }
/// ```
protocol ProblemConvertible: Error {
    var problem: Problem { get }
}

extension Problem {
    /// The problem of any thrown error.
    ///
    /// An unexpected error is `internal`. Its text is only logged, because it can have SQL, paths or secrets. This
    /// includes `DecodingError`: ``JSONBody`` throws problems for invalid requests, so a `DecodingError` is about a row
    /// or a gateway's response.
    ///
    /// It has a label, so that a call for an error with words of its own never means this one.
    init(any error: any Error) {
        switch error {
        case let problem as Problem: self = problem
        case let convertible as any ProblemConvertible: self = convertible.problem
        case is CancellationError: self.init(.shuttingDown)
        case let http as HTTPError: self.init(status: http.status, detail: http.body)
        case let http as any HTTPResponseError: self.init(status: http.status, detail: nil)
        default: self.init(.internal)
        }
    }

    /// The problem of Hummingbird's own errors.
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

    /// - Parameter limit: the maximum size of a body, in bytes.
    static func bodyTooLarge(limit: Int) -> Problem {
        Problem(
            .bodyTooLarge, "the body must have at most \(limit) bytes", members: ["max_bytes": .integer(Int64(limit))])
    }
}

extension LedgerError: ProblemConvertible {
    /// The problem for the client.
    ///
    /// It has the ledger's message only for an invalid request, and for a standby that can't be used, because finance
    /// can then choose another time; other messages are for the log.
    var problem: Problem {
        let code = Problem.Code(self)
        return code == .invalidRequest || code == .replicaUnavailable ? Problem(code, message) : Problem(code)
    }
}
