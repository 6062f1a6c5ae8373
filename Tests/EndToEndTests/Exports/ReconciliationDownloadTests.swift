import EndToEndSupport
import TestSupport
import Testing

/// A reconciliation's payments as a file, over HTTP and by the command.
@Suite(.serialized, .timeLimit(.minutes(20))) struct ReconciliationDownloadTests {
    @Test func `finance takes out what a reconciliation found`() async throws {
        try await Town.with { town in
            try await town.pay("V1", "unclaimed")
            try await town.pay("V1", "good", count: 2)
            try await town.credit("V1", ["good-1", "good-2"])
            let service = try await town.serve()
            let finance = Token.finance()
            let early = try await service.get("/v1/exports/reconciliation", as: finance)
            #expect(
                early.status == 404 && early.code == "not_found" && early.text.contains("completed yet"), "\(early)")

            let body = #"{"from": "\#(Town.from)", "to": "\#(Town.to)", "heal": true}"#
            let started = try await service.post("/v1/reconciliations", body, as: finance)
            let id = started.json["id"].integer ?? 0
            try await eventually("the run is completed") {
                try await service.get("/v1/reconciliations/\(id)", as: finance).json["status"] == "completed"
            }
            let answer = try await service.get("/v1/exports/reconciliation?run=\(id)", as: finance)
            #expect(answer.status == 200, "\(answer)")
            let name = "reconciliation_run_\(id).csv"
            #expect(answer.headers["Content-Disposition"] == "attachment; filename=\"\(name)\"")
            let trailer = try #require(answer.headers["Ledgerd-Export-Trailer"])
            #expect(trailer.hasPrefix(#"{"report":"reconciliation","rows":3,"totals":{"paid_amount":{"KRW":3000},"#))
            #expect(answer.text.contains(",paid_not_credited,needs_person,portone-v1,imp_unclaimed,"))
            let last = try await service.get("/v1/exports/reconciliation?format=jsonl", as: finance)
            #expect(last.status == 200 && last.text.contains(#""kind":"matched""#))

            let environment = ["LEDGERD_DATABASE_URL": town.house.ledger.serviceURL]
            let typed = try await town.house.run("export", "reconciliation", "--run", "\(id)", with: environment)
            #expect(typed.exit == .code(0) && typed.output == answer.text, "\(typed)")
            let unknown = try await town.house.run("export", "reconciliation", "--run", "999", with: environment)
            #expect(unknown.exit == .code(1) && unknown.output.isEmpty, "\(unknown)")
            #expect(unknown.errors.contains("reconciliation 999 does not exist"))
            try await expectRefusals(service)
            try await expectCounted(service)
        }
    }

    private func expectRefusals(_ service: Service) async throws {
        for (query, member) in [
            ("run=first", "run"), ("run=-1", "run"), ("run=", "run"), ("format=hledger", "format"),
            ("format=beancount", "format"), ("from=2026-01-01", "from"), ("as_of=2026-01-01", "as_of"),
        ] {
            let answer = try await service.get("/v1/exports/reconciliation?\(query)", as: Token.finance())
            #expect(answer.status == 400 && answer.code == "invalid_request" && answer.isProblem, "\(answer)")
            #expect(answer.json["member"].text == member, "\(query): \(answer)")
        }
        let other = try await service.get("/v1/exports/journal?run=1", as: Token.finance())
        #expect(other.status == 400 && other.json["member"].text == "run", "\(other)")
        let unknown = try await service.get("/v1/exports/reconciliation?run=999999999", as: Token.finance())
        #expect(unknown.status == 404 && unknown.code == "not_found" && unknown.json["member"].text == "run")
        #expect(unknown.text.contains("reconciliation 999999999 does not exist"), "\(unknown)")
        #expect(try await service.get("/v1/exports/reconciliation", as: Token.service()).code == "forbidden")
    }

    private func expectCounted(_ service: Service) async throws {
        let labels = #"{format="csv",outcome="complete",report="reconciliation"}"#
        try await eventually("the export is counted") {
            let metrics = try await service.get("/metrics").text
            return metrics.contains("ledgerd_exports_total\(labels) 1\n")
                && metrics.contains("ledgerd_export_seconds_count\(labels) 1\n")
        }
    }
}
