import Ledger
import LedgerWire

extension DiagnosisBody {
    /// A diagnosis.
    ///
    /// - Parameter hasWarnings: whether it tells of settings of the server.
    init(_ diagnosis: Diagnosis, hasWarnings: Bool = true) {
        let warnings = hasWarnings ? diagnosis.warnings : []
        self.init(
            isSound: diagnosis.isSound, examinedAt: diagnosis.examinedAt, server: diagnosis.origin.server.rawValue,
            lastSealedAt: diagnosis.lastSealedAt,
            checks: diagnosis.results.map { result in
                Check(
                    code: result.code, proves: result.proves, count: result.count,
                    deviations: result.deviations.map { Deviation(subject: $0.subject, detail: $0.detail) })
            },
            warnings: warnings.map { Warning(code: $0.code, detail: $0.detail) })
    }

    /// The object as one line.
    var text: String {
        get throws { String(decoding: try AnswerJSON.encode(self).readableBytesView, as: UTF8.self) }
    }
}
