import Synchronization

/// What the inner middlewares learnt of a request, for the outer ones that log and count it.
///
/// Contexts are values, so what a handler's context learns never comes back out; this travels by reference, like
/// Hummingbird's own `EndpointPath`.
final class RequestRecord: Sendable {
    private let state = Mutex(State())

    private struct State {
        var principalKind: Principal.Kind?
        var problemCode: Problem.Code?
    }

    /// Who asked, as a kind and never as a name.
    var principalKind: Principal.Kind? {
        get { state.withLock { $0.principalKind } }
        set { state.withLock { $0.principalKind = newValue } }
    }

    /// The code of the problem that was answered, if one was.
    var problemCode: Problem.Code? {
        get { state.withLock { $0.problemCode } }
        set { state.withLock { $0.problemCode = newValue } }
    }
}
