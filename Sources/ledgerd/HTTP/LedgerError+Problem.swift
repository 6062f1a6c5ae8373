import Ledger

extension LedgerError: ProblemConvertible {
    /// The problem for the client.
    ///
    /// It has the ledger's message only for an invalid request; other messages are for the log.
    var problem: Problem {
        let code = Problem.Code(self)
        return code == .invalidRequest ? Problem(code, message) : Problem(code)
    }
}
