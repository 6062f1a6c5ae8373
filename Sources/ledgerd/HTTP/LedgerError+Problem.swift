import Ledger

extension LedgerError: ProblemConvertible {
    /// What a client is told.
    ///
    /// The ledger's own words are for the log, but for a rule that the client can keep.
    var problem: Problem {
        let code = Problem.Code(self)
        return code == .invalidRequest ? Problem(code, message) : Problem(code)
    }
}
