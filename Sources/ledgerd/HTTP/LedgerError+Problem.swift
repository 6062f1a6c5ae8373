import Ledger

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
