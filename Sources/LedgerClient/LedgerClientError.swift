public import Foundation

/// Why a call did not succeed.
public enum LedgerClientError: Error, Sendable {
    /// The service refused or failed.
    ///
    /// - Parameter retryAfter: the service's `Retry-After` in seconds, if any.
    case problem(ProblemBody, retryAfter: TimeInterval?)
    /// No response: it is unknown whether an act was done. Repeat it with the same key.
    case transport(any Error)
    /// An unreadable response, or one that is not from the service but, for example, from a proxy.
    case undecodable(status: Int, reason: String)
    /// The token provider threw an error.
    case token(any Error)
}

extension LedgerClientError {
    /// The service's problem, if it sent one.
    public var problem: ProblemBody? {
        if case .problem(let problem, _) = self { problem } else { nil }
    }

    /// The problem code, if the service sent one.
    public var code: ProblemCode? { problem?.code }

    /// The number of coins required, if there were too few.
    public var required: Int64? { integer("required") }

    /// The number of coins available, if there were too few.
    public var available: Int64? { integer("available") }

    /// Whether the same call may succeed later.
    public var isRetryable: Bool {
        switch self {
        case .problem(let problem, _): problem.retryable
        case .transport(let error): !Self.isHopeless(error)
        case .undecodable(let status, _): [408, 429, 502, 503, 504].contains(status)
        case .token: false
        }
    }

    var retryAfter: TimeInterval? {
        if case .problem(_, let retryAfter) = self { retryAfter } else { nil }
    }

    private func integer(_ member: String) -> Int64? {
        if case .integer(let number) = problem?.members[member] { number } else { nil }
    }
}

extension LedgerClientError: CustomStringConvertible, LocalizedError {
    /// The error in one line, for a log, without tokens.
    public var description: String {
        switch self {
        case .problem(let problem, _):
            "\(problem.status) \(problem.code): \(problem.detail ?? problem.title) (request \(problem.requestID))"
        case .transport(let error): "no response: \(error.localizedDescription)"
        case .undecodable(let status, let reason): "unreadable response with status \(status): \(reason)"
        case .token(let error): "no access token: \(error)"
        }
    }

    /// The error in one line.
    public var errorDescription: String? { description }
}
