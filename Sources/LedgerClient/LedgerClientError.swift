public import Foundation

/// Why a call did not succeed.
public enum LedgerClientError: Error, Sendable {
    /// The service refused it or could not do it.
    ///
    /// - Parameter retryAfter: how many seconds it asked to wait before the same again, if it did.
    case problem(ProblemBody, retryAfter: TimeInterval?)
    /// There was no answer: what became of an act is unknown until it is sent again under the same key.
    case transport(any Error)
    /// There was an answer that is not the service's, such as a proxy's, or one that can't be read.
    case undecodable(status: Int, reason: String)
    /// The token provider gave no token.
    case token(any Error)
}

extension LedgerClientError {
    /// What the service refused or could not do.
    public var problem: ProblemBody? {
        if case .problem(let problem, _) = self { problem } else { nil }
    }

    /// What went wrong, if the service said it.
    public var code: ProblemCode? { problem?.code }

    /// How many coins were required, where there were too few.
    public var required: Int64? { integer("required") }

    /// How many coins there were, where there were too few.
    public var available: Int64? { integer("available") }

    /// Whether the very same call may succeed later.
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
    /// What went wrong, in one line for a log; it holds no token.
    public var description: String {
        switch self {
        case .problem(let problem, _):
            "\(problem.status) \(problem.code): \(problem.detail ?? problem.title) (request \(problem.requestID))"
        case .transport(let error): "no answer: \(error.localizedDescription)"
        case .undecodable(let status, let reason): "\(status) with an answer that can't be read: \(reason)"
        case .token(let error): "no access token: \(error)"
        }
    }

    /// What went wrong, in one line.
    public var errorDescription: String? { description }
}
