/// Why an export can't start.
package enum ExportRefusal: Error, Sendable, Equatable, CustomStringConvertible {
    /// ``Exports/most`` exports are running.
    case tooMany
    /// The reconciliation run does not exist.
    case noSuchRun(Int64)
    /// The reconciliation run is still running, or failed.
    case runNotCompleted(Int64, ReconciliationRun.Status)
    /// No reconciliation has been completed yet.
    case noCompletedRun
    /// Vouchers need the accounts of an ERP.
    case noAccounts
    /// The accounts of the ERP lack these accounts of ours.
    case unmappedAccounts([String])
    /// Nothing in the period was booked with VAT, because VAT is or was off.
    case vatIsOff
    /// No accounting policy was ever set, so no month is adjusted.
    case noPolicy

    package var description: String {
        switch self {
        case .tooMany: "too many exports are running"
        case .noSuchRun(let id): "reconciliation \(id) does not exist"
        case .runNotCompleted(let id, let status):
            "reconciliation \(id) is \(status.rawValue): only completed reconciliations can be exported"
        case .noCompletedRun: "no reconciliation has been completed yet"
        case .noAccounts: "vouchers need a file that maps our accounts to those of the ERP"
        case .unmappedAccounts(let accounts):
            "the accounts of the ERP are missing for \(accounts.joined(separator: ", "))"
        case .vatIsOff:
            "vat (LEDGERD_VAT) is off, or was in the period: nothing in it was booked with VAT, so there is nothing to "
                + "file from this report"
        case .noPolicy: "no accounting policy was ever set (PUT /v1/accounting-policies), so no month is adjusted"
        }
    }
}
