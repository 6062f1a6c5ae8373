import Foundation
import PGVerifier
import TestSupport
import Testing

/// How support settles in the console what a customer calls about: a child's spends, and a payment without coins.
@Suite(.serialized, .timeLimit(.minutes(20))) struct ConsoleSettleTests {
    /// Spends coins of ann, and returns the spend's entry.
    private static func spend(_ coins: Int64, _ console: ConsoleHouse) async throws -> Int64 {
        let spent = try await console.service.post(
            "/v1/users/ann/spends", #"{"coins": \#(coins), "reason": "song \#(coins)"}"#, key: "spend-\(coins)")
        return try #require(spent.json["spend"]["journal_entry_id"].integer, "\(spent)")
    }

    @Test func `spends are taken back and their purchase is refunded with one preview, by one person`() async throws {
        try await ConsoleHouse.open { console in
            let (payment, id) = try await console.buy()
            let (first, second) = (try await Self.spend(300, console), try await Self.spend(200, console))
            let path = "/console/customers/ann/take-back/\(id)"
            let viewer = try await console.browser(as: "viewer-1")
            #expect(try await viewer.open(path).status == 403)
            let support = try await console.browser(as: "support-1")
            #expect(try await support.open("/console/customers/ann").text.contains(path))
            // One spend alone does not give all back, and the page says why.
            let part = try await support.open("\(path)?chosen=yes&spend:\(first)=yes")
            #expect(part.text.contains("in spends that are not chosen"), "\(part)")
            #expect(try await support.open("\(path)?chosen=yes").status == 400)
            let page = try await support.open(path)
            #expect(page.text.contains("₩5,000") && page.text.contains("song 300"), "\(page)")
            #expect(!page.text.contains("not chosen") && !page.text.contains("another person"), "\(page)")
            let form = support.fields
            #expect(form.contains { $0 == ("spends", "\(second),\(first)") }, "\(form)")
            let done = try await support.submit(path, [("reason", "her son spent them")])
            #expect(done.text.contains("The coins came back, and the refund is begun"), "\(done)")
            #expect(try await console.service.coins() == 0)
            #expect(try await console.gateway.cancelled(payment) == 5000)
            // The same form again is the same act.
            let again = try await support.post(path, form + [("reason", "her son spent them")])
            #expect(again.status == 200, "\(again)")
            let books = console.house.books
            #expect(try await books.texts("SELECT status FROM refund") == ["completed"])
            let record = """
                SELECT concat_ws('|', subject, act, target, user_id, reason, seen->>'amount', seen->>'left',
                    audit_outcome.outcome, detail->>'coins')
                FROM audit JOIN audit_outcome ON audit_id = audit.id WHERE act = 'take-back'
                """
            #expect(
                try await books.texts(record) == [
                    "support-1|take-back|purchase:\(id)|ann|her son spent them|5000|500|done|500"
                ])
            try await console.house.expectSound()
        }
    }

    @Test func `above a limit of money or coins it is one proposal, and what has changed is refused`() async throws {
        let settings = ["LEDGERD_CONSOLE_REFUND_LIMIT": "100000", "LEDGERD_CONSOLE_GRANT_LIMIT": "299"]
        try await ConsoleHouse.open(settings) { console in
            let id = try await console.buy().id
            let entry = try await Self.spend(300, console)
            let path = "/console/customers/ann/take-back/\(id)"
            let support = try await console.browser(as: "support-1")
            #expect(try await support.open(path).text.contains("another person has to approve it"))
            let proposed = try await support.submit(path, [("reason", "her son spent them")])
            #expect(proposed.text.contains("Another person has to approve it now"), "\(proposed)")
            #expect(try await console.service.coins() == 250)
            let finance = try await console.browser(as: "finance-1")
            let books = console.house.books
            // A part of the spend comes back before it is approved, with the approver's page open.
            let first = try await console.onlyProposal()
            // The proposal stands on the page, and a second one needs a tick.
            #expect(try await finance.open(path).text.contains(first))
            let beside = try await finance.submit(path, [("reason", "her mother called")])
            #expect(beside.status == 409 && beside.text.contains("her son spent them"), "\(beside)")
            #expect(beside.text.contains("Something is proposed about this already"), "\(beside)")
            let before = try await finance.open(first)
            #expect(
                before.text.contains("Approve: take back and refund") && before.text.contains("Afterwards"), "\(before)"
            )
            let part = try await console.service.post(
                "/v1/spends/\(entry)/reversals", #"{"coins": 10}"#, key: "part")
            try #require(part.status == 201, "\(part)")
            let late = try await finance.submit("\(first)/approve", [("reason", "ok")])
            #expect(late.status == 409 && late.text.contains("has changed since it was proposed"), "\(late)")
            #expect(try await books.count("SELECT count(*) FROM refund") == 0)

            try await support.open(path)
            try await support.submit(path, [("reason", "her son spent them")])
            let second = try await console.newestProposal()
            try await finance.open(second)
            let done = try await finance.submit("\(second)/approve", [("reason", "checked")])
            #expect(done.text.contains("It is approved and carried out"), "\(done)")
            #expect(try await console.service.coins() == 0)
            #expect(try await books.texts("SELECT status FROM refund") == ["completed"])
            try await console.house.expectSound()
        }
    }

    @Test func `of forty requests one takes back and refunds, and each refusal leaves nothing`() async throws {
        try await ConsoleHouse.open { console in
            let id = try await console.buy().id
            let entry = try await Self.spend(300, console)
            let other = try await console.buy("1000").id
            let path = "/v1/purchases/\(id)/take-back"
            let body = #"{"spends": [\#(entry)], "reason": "her son"}"#
            let service = console.service
            let entries = try await console.house.books.count("SELECT count(*) FROM journal_entry")
            for (number, (target, body, code)) in [
                (id, #"{"spends": [], "reason": "x"}"#, "invalid_request"),
                (id, #"{"spends": [\#(entry), \#(entry)], "reason": "x"}"#, "invalid_request"),
                (id, #"{"spends": [1], "reason": "x"}"#, "not_found"),
                (1, body, "not_found"), (other, body, "spend_of_other_purchase"),
            ].enumerated() {
                let answer = try await service.post(
                    "/v1/purchases/\(target)/take-back", body, key: "wrong-\(number)")
                #expect(answer.code == code, "\(answer)")
            }
            let quote = try await service.get("/v1/purchases/\(id)/take-back-quote", as: Token.service()).json
            #expect(quote["possible"] == true && quote["amount"] == 5000 && quote["returned"] == 300, "\(quote)")
            #expect(try await console.house.books.count("SELECT count(*) FROM journal_entry") == entries)

            let statuses = try await together(40) { number in
                try await service.post(path, body, key: "once-\(number % 20)").status
            }
            #expect(statuses.contains(201) || statuses.contains(202), "\(statuses)")
            let books = console.house.books
            #expect(try await books.count("SELECT count(*) FROM refund WHERE purchase_id = \(id)") == 1)
            #expect(try await books.count("SELECT sum(coins)::int8 FROM coin_return") == 300)
            let again = try await service.post(path, body, key: "again")
            #expect(again.status == 422 && again.code == "already_reversed", "\(again)")
            try await console.house.expectSound()
        }
    }

    @Test func `support gives a small payment without coins back at the gateway, a large one with finance`()
        async throws
    {
        try await ConsoleHouse.open(["LEDGERD_CONSOLE_REFUND_LIMIT": "1000"]) { console in
            let support = try await console.browser(as: "support-1")
            let small = try await console.find("1000")
            let path = "/console/findings/\(small.id)"
            try await support.open(path)
            let stale = try await support.submit("\(path)/refund", [("reason", "paid twice"), ("amount", "999")])
            #expect(stale.status == 409 && stale.text.contains("It has changed since you opened the page"), "\(stale)")
            #expect(try await console.gateway.cancelled(small.payment) == 0)
            try await support.open(path)
            let done = try await support.submit("\(path)/refund", [("reason", "paid twice")])
            #expect(done.text.contains("The gateway is asked to return the money"), "\(done)")
            #expect(done.text.contains("resolved") && done.text.contains("money back asked for"), "\(done)")
            #expect(try await console.gateway.cancelled(small.payment) == 1000)

            let large = try await console.find("5000")
            let other = "/console/findings/\(large.id)"
            try await support.open(other)
            let proposed = try await support.submit("\(other)/refund", [("reason", "paid twice")])
            #expect(proposed.text.contains("Another person has to approve it now"), "\(proposed)")
            #expect(try await console.gateway.cancelled(large.payment) == 0)
            // Nobody knows whose the payment is, and any word is the id of somebody.
            let users = "SELECT coalesce(user_id, '-') FROM approval"
            #expect(try await console.house.books.texts(users) == ["-"])
            let finance = try await console.browser(as: "finance-1")
            let proposal = try await console.onlyProposal()
            // The proposal stands on the finding's page, and a second one needs a tick.
            #expect(try await finance.open(other).text.contains(proposal))
            let beside = try await finance.submit("\(other)/refund", [("reason", "the same")])
            #expect(beside.status == 409 && beside.text.contains("paid twice"), "\(beside)")
            try await finance.open(proposal)
            let approved = try await finance.submit("\(proposal)/approve", [("reason", "checked")])
            #expect(approved.text.contains("It is approved and carried out"), "\(approved)")
            #expect(try await console.gateway.cancelled(large.payment) == 5000)
            #expect(try await console.service.findings().isEmpty)
            // Nobody gets coins for it, and a repeat finds it done.
            #expect(try await console.service.present(large.payment).code == "payment_cancelled")
            let repeated = try await console.service.post(
                "/v1/findings/\(large.id)/refund", #"{"reason": "once more"}"#, as: Token.finance())
            #expect(repeated.status == 200 && repeated.json["status"] == "resolved", "\(repeated)")
            try await console.house.expectSound()
        }
    }

    @Test func `a payment that is credited meanwhile is not given back from its finding`() async throws {
        try await ConsoleHouse.open { console in
            let (payment, id) = try await console.find("1000")
            #expect(try await console.service.present(payment).status == 201)
            let refused = try await console.service.post(
                "/v1/findings/\(id)/refund", #"{"reason": "x"}"#, as: Token.finance())
            #expect(refused.status == 409 && refused.code == "payment_credited", "\(refused)")
            #expect(try await console.gateway.cancelled(payment) == 0)
        }
    }

    @Test func `support sends a finding to finance with a note, and sees whom the payment names`() async throws {
        try await ConsoleHouse.open { console in
            let (_, id) = try await console.find("1000", #", "custom_data": {"user_id": "ann"}"#)
            let support = try await console.browser(as: "support-1")
            let path = "/console/findings/\(id)"
            let page = try await support.open(path)
            #expect(page.text.contains("named in the payment"), "\(page)")
            #expect(!page.text.contains("\(path)/resolve"), "only finance resolves without a credit")
            let sent = try await support.submit("\(path)/send", [("note", "she paid by her mother's card")])
            #expect(sent.text.contains("finance") && sent.text.contains("her mother"), "\(sent)")
            #expect(try await support.open("/console/findings?whose=finance").text.contains(path))
            #expect(try await !support.open("/console/findings?whose=nobody").text.contains(path))
            try await support.open(path)
            let finding = try await console.service.findings().first
            #expect(finding?["assignee"] == "finance" && finding?["named_user"] == "ann", "\(finding as Any)")
            let stale = [("user", "ann"), ("reason", "her mother's card"), ("amount", "999")]
            #expect(try await support.submit("\(path)/claim", stale).status == 409)
            #expect(try await console.service.coins() == 0)
            try await support.open(path)
            let given = try await support.submit("\(path)/claim", [("user", "ann"), ("reason", "her mother's card")])
            #expect(given.text.contains("The payment is credited"), "no second look: \(given)")
            #expect(try await console.service.coins() == 100)
        }
    }
}
