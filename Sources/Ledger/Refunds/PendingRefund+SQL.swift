import Postgres

extension PendingRefund: StoredWorkItem {
    static let table = "refund"
    static let waitingStatus = Refund.Status.pending.rawValue
    static let columns = "\(Refund.columns), refund.refund_account, refund.attempts, refund.reason"

    static func decode(_ row: borrowing PostgresRow) throws -> PendingRefund {
        let account = try row.decode(19, as: PostgresJSON?.self)
        return PendingRefund(
            refund: try Refund.decode(row),
            account: account == nil ? nil : try row.decodeJSON(19, as: BankAccount.self), attempts: try row[20],
            reason: try row[21])
    }
}
