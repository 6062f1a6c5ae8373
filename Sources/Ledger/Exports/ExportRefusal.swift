/// Why an export does not begin.
package enum ExportRefusal: Error, Sendable, Equatable, CustomStringConvertible {
    /// As many run as may.
    case tooMany
    /// There is no such reconciliation.
    case noSuchRun(Int64)
    /// The reconciliation goes on, or was given up.
    case runNotCompleted(Int64, ReconciliationRun.Status)
    /// No reconciliation has been completed yet.
    case noCompletedRun

    /// In words.
    package var description: String {
        switch self {
        case .tooMany: "as many exports run as may"
        case .noSuchRun(let id): "there is no reconciliation \(id)"
        case .runNotCompleted(let id, let status):
            "reconciliation \(id) is \(status.rawValue): only one that is completed can be exported"
        case .noCompletedRun: "no reconciliation has been completed yet"
        }
    }
}
