import Hummingbird
import Ledger
import LedgerWire

/// The doctor, for finance: what `ledgerd doctor` does without a seal.
struct DoctorController: Sendable {
    let exports: Exports

    /// `GET /v1/doctor`; `?limit=` is how many deviations of each kind are listed.
    func examine(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let limit = try request.query("limit").whole("limit", 1...100) ?? 20
        guard let diagnosis = try await exports.examine(naming: Int(limit)) else {
            throw Problem(.tooManyExports, "the books are being examined already")
        }
        return try Response(json: DiagnosisBody(diagnosis))
    }
}

extension DoctorController: Feature {
    static let routes: [Route<Self>] = [
        Route(
            .file(
                "examineBooks", "/v1/doctor", .financeRead, .finance,
                "Check the books and list all deviations",
                """
                It recomputes all totals from the postings, in one snapshot, as `ledgerd doctor` does. It reads all the \
                books, which takes minutes if they are large. One runs at a time, beside the exports; a further one \
                is refused. A check that takes longer than ten minutes ends it with 503: then use `ledgerd doctor`. \
                With a standby for reports, the standby is read.
                """,
                parameters: [
                    .query(
                        "limit", .count(1...100, default: 20),
                        "the maximum number of listed deviations of each check; all are counted")
                ],
                answers: [.ok(DiagnosisBody.self, "What the checks found, also when the books are not sound.")],
                refusals: [.tooManyExports, .replicaUnavailable])
        ) { $0.examine }
    ]

    static func make(with deps: Deps) throws -> Self? {
        DoctorController(exports: deps.ledger.exports)
    }
}
