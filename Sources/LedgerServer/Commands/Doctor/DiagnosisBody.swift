import Foundation
import Ledger

/// A diagnosis as JSON.
struct DiagnosisBody: Encodable {
    let isSound: Bool
    let examinedAt: Date
    let server: String
    let lastSealedAt: Date?
    let checks: [Check]
    var warnings: [Warning]

    struct Warning: Encodable {
        let code: String
        let detail: String
    }

    struct Check: Encodable {
        let code: String
        let proves: String
        let count: Int64
        let deviations: [Deviation]
    }

    struct Deviation: Encodable {
        let subject: String
        let detail: String
    }

    enum CodingKeys: String, CodingKey {
        case checks, warnings, server
        case isSound = "sound"
        case examinedAt = "examined_at"
        case lastSealedAt = "last_sealed_at"
    }

    init(_ diagnosis: Diagnosis) {
        isSound = diagnosis.isSound
        examinedAt = diagnosis.examinedAt
        server = diagnosis.origin.server.rawValue
        lastSealedAt = diagnosis.lastSealedAt
        warnings = diagnosis.warnings.map { Warning(code: $0.code, detail: $0.detail) }
        checks = diagnosis.results.map { result in
            Check(
                code: result.code, proves: result.proves, count: result.count,
                deviations: result.deviations.map { Deviation(subject: $0.subject, detail: $0.detail) })
        }
    }

    /// The object as one line.
    var text: String {
        get throws { String(decoding: try AnswerJSON.encode(self).readableBytesView, as: UTF8.self) }
    }
}
