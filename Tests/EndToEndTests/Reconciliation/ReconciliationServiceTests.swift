import Foundation
import Ledger
import Postgres
import TestSupport
import Testing

/// Reconciling in a service: asked for over HTTP, daily, and through crashes.
@Suite(.serialized, .timeLimit(.minutes(20))) struct ReconciliationServiceTests {
    @Test func `a run is asked for, followed and read over HTTP`() async throws {
        try await Town.with { town in
            try await town.pay("V1", "unclaimed")
            try await town.pay("V1", "good", count: 3)
            try await town.credit("V1", (1...3).map { "good-\($0)" })
            try await town.credit("V2", ["unknown"])
            let service = try await town.serve()
            let body = #"{"from": "\#(Town.from)", "to": "\#(Town.to)", "heal": true}"#
            func start(_ body: String, key: String? = nil) async throws -> EndToEndSupport.Answer {
                try await service.send(
                    .post, "/v1/reconciliations", as: Token.finance(),
                    headers: [("Content-Type", "application/json")] + (key.map { [("Idempotency-Key", $0)] } ?? []),
                    body: body)
            }
            let started = try await start(body, key: "night-1")
            #expect(started.status == 202, "\(started)")
            let path = started.headers["Location"] ?? ""
            #expect(path == "/v1/reconciliations/\(started.json["id"].integer ?? 0)")
            try await eventually("the run is completed") {
                try await service.get(path, as: Token.finance()).json["status"] == "completed"
            }
            let run = try await service.get(path, as: Token.finance()).json
            #expect(run["counts"]["matched"] == 3 && run["counts"]["paid_not_credited"] == 1)
            #expect(run["counts"]["credited_not_paid"] == 1 && run["counts"]["waiting"] == 0)
            #expect(run["differences"] == 2 && run["healed"] == 0)

            let unclaimed = try await service.get(path + "/items?kind=paid_not_credited", as: Token.finance())
            let item = unclaimed.json["items"].elements.first ?? .null
            #expect(item["imp_uid"] == "imp_unclaimed" && item["outcome"] == "needs_person")
            #expect(item["at_gateway"]["amount"] == 1000 && item["in_books"] == nil)
            let first = try await service.get(path + "/items?limit=2", as: Token.finance()).json
            #expect(first["items"].elements.count == 2 && first["has_more"] == .bool(true))
            let rest = try await service.get(
                path + "/items?limit=100&cursor=\(first["next_cursor"].text ?? "")", as: Token.finance())
            #expect(rest.json["items"].elements.count == 3)
            // Nobody has claimed it: it is on finance's list too.
            let findings = try await service.get("/v1/findings", as: Token.finance()).json["findings"].elements
            #expect(findings.map { $0["imp_uid"] } == ["imp_unclaimed"])

            let again = try await start(body, key: "night-1")
            #expect(again.status == 202 && again.json["id"] == started.json["id"])
            #expect(again.headers["Idempotent-Replayed"] == "true")
            let other = #"{"from": "\#(Town.later)", "to": "\#(Town.to)"}"#
            #expect(try await start(other, key: "night-1").code == "idempotency_key_reused")
            #expect(try await start(other).status == 202)
            let runs = try await service.get("/v1/reconciliations", as: Token.finance()).json["reconciliations"]
            #expect(runs.elements.count == 2 && runs.elements.last?["id"] == started.json["id"])
        }
    }

    @Test func `who works on a difference, and notes, are recorded by request and command, and the next run has them`()
        async throws
    {
        try await Town.with { town in
            try await town.pay("V1", "unclaimed")
            let service = try await town.serve()
            let period = #"{"from": "\#(Town.from)", "to": "\#(Town.to)"}"#
            func compare() async throws -> String {
                let started = try await service.post("/v1/reconciliations", period, as: Token.finance())
                let path = started.headers["Location"] ?? ""
                try await eventually("the run is completed") {
                    try await service.get(path, as: Token.finance()).json["status"] == "completed"
                }
                return path
            }
            func item(_ run: String) async throws -> JSON {
                try await service.get("\(run)/items", as: Token.finance()).json["items"].elements.first ?? .null
            }
            let first = try await compare()
            let id = sure(try await item(first)["id"].integer)
            let path = "\(first)/items/\(id)"
            let taken = try await service.post("\(path)/assign", #"{"assignee": "min"}"#, as: Token.finance())
            #expect(taken.status == 200 && taken.json["assignee"] == "min", "\(taken)")
            for _ in 1...2 {
                let noted = try await service.post("\(path)/notes", #"{"text": "asked"}"#, as: Token.finance())
                #expect(noted.json["acts"].elements.map { $0["act"] } == ["assign", "note"], "\(noted)")
            }
            #expect(try await service.post("\(path)/notes", "{}", as: Token.finance()).code == "missing_member")
            #expect(
                try await service.post("\(first)/items/0/notes", #"{"text": "x"}"#, as: Token.finance()).status == 404)
            #expect(try await service.post("\(path)/assign", "{}", as: Token.service()).status == 403)

            let next = try await compare()
            let found = try await item(next)
            #expect(found["assignee"] == "min" && found["note"] == "asked" && found["acts"] == nil, "\(found)")
            let arguments = [String(sure(next.split(separator: "/").last)), String(sure(found["id"].integer))]
            let settings = ["LEDGERD_DATABASE_URL": town.house.ledger.serviceURL]
            var run = try await town.house.run("differences", with: settings)
            #expect(run.output.contains("imp_unclaimed") && run.output.contains("asked"), "\(run)")
            run = try await town.house.run(
                "differences", "assign", arguments[0], arguments[1], "--nobody", "--by", "kim", with: settings)
            #expect(run.output == "payment imp_unclaimed: nobody works on it\n", "\(run)")
            run = try await town.house.run("differences", "show", arguments[0], arguments[1], with: settings)
            #expect(run.output.contains("terminal:kim") && run.output.contains("unassign"), "\(run)")
            run = try await town.house.run("differences", "show", "999", "1", with: settings)
            #expect(run.exit == .code(1) && run.errors.contains("no such payment"), "\(run)")
            #expect(try await service.get(path, as: Token.finance()).json["assignee"] == nil)
        }
    }

    @Test func `what can't be is refused`() async throws {
        try await Town.with { town in
            let service = try await town.serve()
            let cases: [(String, String)] = [
                (#"{"to": "2026-11-20"}"#, "/from"), (#"{"from": "2026-11-20"}"#, "/to"),
                (#"{"from": "yesterday", "to": "2026-11-20"}"#, "/from"),
                (#"{"from": "2026-11-20", "to": "2026-11-20"}"#, "/to"),
                (#"{"from": "2026-11-20", "to": "2026-11-21", "heal": "yes"}"#, "/heal"),
            ]
            for (body, pointer) in cases {
                let answer = try await service.post("/v1/reconciliations", body, as: Token.finance())
                #expect(answer.status == 400 && answer.isProblem && answer.json["pointer"].text == pointer, "\(answer)")
            }
            let good = #"{"from": "2026-11-20", "to": "2026-11-21"}"#
            #expect(try await service.post("/v1/reconciliations", good).status == 401)
            #expect(try await service.post("/v1/reconciliations", good, as: Token.service()).status == 403)
            for path in ["/v1/reconciliations/7", "/v1/reconciliations/x", "/v1/reconciliations/7/items"] {
                #expect(try await service.get(path, as: Token.finance()).status == 404, "\(path)")
            }
            let started = try await service.post("/v1/reconciliations", good, as: Token.finance())
            let items = "/v1/reconciliations/\(started.json["id"].integer ?? 0)/items?kind=odd"
            #expect(try await service.get(items, as: Token.finance()).json["member"] == "kind")
            let (exit, _, errors) = try await town.house.run(
                "reconcile", "--from", "2026-11-20", "--to", "soon", with: town.settings)
            #expect(exit == .code(64) && errors.contains("--to must be an RFC 3339 time"))
        }
    }

    @Test func `killed in the middle it goes on, and asks for no page that was stored`() async throws {
        try await Town.with { town in
            try await town.fill("V1", count: 2500)
            try await town.holdPages(after: 1500)
            let service = try await town.house.serveProcess(at: nil, town.settings)
            let started = try await service.post(
                "/v1/reconciliations", #"{"from": "\#(Town.from)", "to": "\#(Town.to)"}"#, as: Token.finance())
            #expect(started.status == 202)
            try await town.waitUntilAPageWaits()
            try await town.house.kill(service.process)
            try await town.letPages()
            let askedBefore = try await town.pagesAsked()

            let next = try await town.serve()
            try await town.house.books.execute("UPDATE reconciliation_run SET leased_until = now()")
            try await eventually("the run is completed") {
                try await next.get("/v1/reconciliations", as: Token.finance())
                    .json["reconciliations"].elements.first?["status"] == "completed"
            }
            let askedAfter = try await town.pagesAsked().dropFirst(askedBefore.count)
            #expect(askedAfter.first == 4 && askedAfter.filter { $0 > 0 } == [4, 5])
            #expect(
                try await town.house.books.count(
                    "SELECT count(*) FROM reconciliation_item WHERE kind = 'matched'") == 2500)
        }
    }

    @Test func `the day before is reconciled and healed once, by one of several services`() async throws {
        try await Town.with { town in
            // The service looks at this hour, half a day ago, at the day before: no other day is due meanwhile.
            let looked = Int(Date().timeIntervalSince1970) / 3600 - 12
            let hour = looked % 24
            let noon = (looked - hour - 12) * 3600
            let times = #", "started_at": \#(noon), "paid_at": \#(noon), "cancelled_at": \#(noon + 1)"#
            for version in ["V1", "V2"] {
                try await town.pay(version, "gone", #", "status": "CANCELLED"\#(times)"#)
                try await town.credit(version, ["gone"], paidAt: Date(timeIntervalSince1970: Double(noon)))
            }
            let daily = ["LEDGERD_RECONCILE_AT": "\(hour < 10 ? "0" : "")\(hour):00", "LEDGERD_TIME_ZONE": "UTC"]
            let one = try await town.serve(daily)
            let other = try await town.serve(daily)
            try await eventually("the day is reconciled") {
                try await town.house.books.count(
                    "SELECT count(*) FROM reconciliation_run WHERE status = 'completed'") == 1
            }
            let run =
                try await one.get("/v1/reconciliations", as: Token.finance())
                .json["reconciliations"].elements.first ?? .null
            #expect(run["heal"] == .bool(true) && run["healed"] == 2 && run["differences"] == 0)
            #expect(run["day"].text.map { run["from"].text?.hasPrefix($0) ?? false } ?? false)
            #expect(try await town.house.books.count("SELECT count(*) FROM purchase WHERE status = 'refunded'") == 2)
            // The other one looks for days, too, before it performs a run that is asked for.
            try await one.end()
            let asked = try await other.post(
                "/v1/reconciliations", #"{"from": "\#(Town.later)", "to": "\#(Town.to)"}"#, as: Token.finance())
            #expect(asked.status == 202, "\(asked)")
            try await eventually("it is performed") {
                try await town.house.books.count(
                    "SELECT count(*) FROM reconciliation_run WHERE status = 'completed'") == 2
            }
            #expect(try await town.house.books.count("SELECT count(*) FROM reconciliation_run") == 2)
            try await town.house.expectSound()
        }
    }

    @Test func `a payment that can't be read is named, and all others are compared`() async throws {
        try await Town.with { town in
            try await town.pay("V1", "good", count: 2)
            try await town.credit("V1", ["good-1", "good-2", "odd"])
            try await town.pay("V1", "unclaimed")
            // More won than any number here can hold.
            try await town.gateway.control(
                """
                {"imp_uid": "imp_odd", "merchant_uid": "order-V1-odd", "amount": 99999999999999999999, "version": "V1"}
                """)
            let report = try await town.reconcile("--heal")
            #expect(report.exit == .code(1))
            #expect(
                report.kinds == ["portone-v1 imp_odd": .unreadable, "portone-v1 imp_unclaimed": .paidNotCredited])
            #expect(report.counts["matched"] == 2 && report.outcomes["portone-v1 imp_odd"] == "needs_person")
        }
    }

    @Test func `what happened at a period's borders belongs where it happened`() async throws {
        try await Town.with { town in
            // A day long past, so that what happens after it is past too.
            let day = 1_790_000_000
            let before = day - 50_000
            let after = day + 86_400 + 50_000
            for version in ["V1", "V2"] {
                // Begun the day before, paid on the day.
                try await town.pay(version, "late", #", "started_at": \#(before), "paid_at": \#(day + 10)"#)
                // Begun on the day, paid the day after.
                try await town.pay(version, "later", #", "started_at": \#(day + 20), "paid_at": \#(after)"#)
                // Paid on the day, partly cancelled the day after: nobody else would look for it.
                try await town.pay(
                    version, "partly",
                    #"""
                    , "started_at": \#(day + 30), "paid_at": \#(day + 30), "status": "PARTIAL_CANCELLED",
                    "cancel_amount": 1, "cancelled_at": \#(after)
                    """#)
                // Paid the day before, cancelled on the day.
                try await town.pay(
                    version, "undone",
                    #"""
                    , "started_at": \#(before), "paid_at": \#(before), "status": "CANCELLED", "cancelled_at": \#(day)
                    """#)
                try await town.credit(version, ["undone"], paidAt: Date(timeIntervalSince1970: Double(before)))
                // Paid at the very end: the next day's.
                try await town.pay(
                    version, "end", #", "started_at": \#(day + 86_400), "paid_at": \#(day + 86_400)"#)
                // Credited as paid on the day, and the gateway says when it was: the same, to the second.
                try await town.pay(version, "good", #", "started_at": \#(day), "paid_at": \#(day)"#)
                try await town.credit(version, ["good"], paidAt: Date(timeIntervalSince1970: Double(day)))
            }
            let report = try await town.reconcile(
                from: Town.text(Date(timeIntervalSince1970: Double(day))),
                to: Town.text(Date(timeIntervalSince1970: Double(day + 86_400))))
            var expected: [String: ReconciliationKind] = [:]
            for version in ["V1", "V2"] {
                for (name, kind) in [
                    ("late", ReconciliationKind.paidNotCredited), ("partly", .paidNotCredited),
                    ("undone", .cancelledNotClawedBack),
                ] { expected[Discrepancies.name(Town.identity(version, name))] = kind }
            }
            #expect(report.kinds == expected)
            #expect(report.counts["matched"] == 2)
        }
    }
}
