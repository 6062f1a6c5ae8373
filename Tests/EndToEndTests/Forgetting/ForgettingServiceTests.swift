import EndToEndSupport
import OutboundHTTP
import Postgres
import TestSupport
import Testing

@testable import Ledger

/// Users who are forgotten by the running service.
@Suite(.timeLimit(.minutes(20))) struct ForgettingServiceTests {
    static let settings = ["LEDGERD_FORGETTING_KEY": "AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA="]

    /// A payment of ann's with her id in its names, after she is forgotten.
    private static func paymentOfForgotten(
        _ house: House, _ gateway: Gateway, _ service: Service
    ) async throws -> Payment {
        let names = Payment(impUID: "imp-of-ann", merchantUID: "order-of-ann")
        let payment = try await service.credited(try await gateway.pay("5000", #", "version": "V1""#, as: names))
        #expect(try await service.post("/v1/users/ann/spends", #"{"coins": 550}"#, key: "all").status == 201)
        try await house.linkUp()
        let id = sure(try await service.askToForget("ann")["id"].integer)
        try await eventually("the user is forgotten, when no webhook of the payment waits") {
            try await house.letForgettingsBeDue()
            return try await service.get("/v1/forgettings/\(id)", as: Token.service()).json["status"] == "forgotten"
        }
        #expect(try await house.books.count("SELECT count(*) FROM purchase WHERE imp_uid LIKE '%ann%'") == 0)
        return payment
    }

    @Test func `a request waits, can be cancelled, and is done when its time has come and nothing is open`()
        async throws
    {
        try await House.with { house in
            let gateway = try await house.startGateway()
            let service = try await house.serve(at: gateway, Self.settings)
            let path = "/v1/users/kim-minji/forgetting"
            #expect(try await service.get(path, as: Token.service()).status == 404)
            let asked = try await service.askToForget("kim-minji")
            #expect(asked["status"] == "waiting" && asked["open"].elements.isEmpty, "\(asked)")
            #expect(try await service.askToForget("kim-minji")["id"] == asked["id"])
            let cancelled = try await service.send(.delete, path, as: Token.service())
            #expect(cancelled.json["status"] == "cancelled", "\(cancelled)")

            try await service.spendAll("kim-minji")
            try await house.linkUp()
            let id = sure(try await service.askToForget("kim-minji")["id"].integer)
            try await house.letForgettingsBeDue()
            var done: JSON = .null
            try await eventually("the user is forgotten") {
                done = try await service.get("/v1/forgettings/\(id)", as: Token.service()).json
                return done["status"] == "forgotten"
            }
            let user = sure(done["user"].text)
            #expect(UserID(rawValue: user)?.isForgotten == true && done["kept_until"] == .null, "\(done)")
            #expect(try await service.get(path, as: Token.service()).status == 404, "the id is of nobody")
            var events: [JSON] = []
            try await eventually("the event is numbered") {
                events = try await service.get("/v1/events?types=user.forgotten", as: Token.events())
                    .json["events"].elements
                return !events.isEmpty
            }
            #expect(events.count == 1 && events[0]["user"].text == user, "\(events)")
            let given = #"{"coins": 1, "reason": "hello"}"#
            let refused = try await service.post("/v1/users/\(user)/grants", given, key: "g")
            #expect(refused.status == 400 && refused.code == "invalid_request", "\(refused)")
            try await house.expectSound()
        }
    }

    @Test func `a payment whose names had the user's id is still cancelled`() async throws {
        try await House.openNotified(Self.settings) { house, gateway, service in
            let payment = try await Self.paymentOfForgotten(house, gateway, service)
            try await gateway.change(payment, to: "cancelled")
            try await eventually("it is clawed back") {
                try await house.books.texts("SELECT status FROM purchase") == ["refunded"]
            }
            #expect(try await service.findings().isEmpty)
            try await house.expectSound()
            for key in ["", ForgettingKey().base64] {
                var settings = house.settings()
                if !key.isEmpty { settings["LEDGERD_FORGETTING_KEY"] = key }
                let (exit, _, errors) = try await house.run("serve", with: settings)
                #expect(exit == .code(1) && errors.contains("forgetting_key"), "\(errors)")
            }
        }
    }

    @Test func `a payment of a forgotten user is not given back from a finding, and counts as credited`()
        async throws
    {
        try await House.open(Self.settings) { house, gateway, service in
            let payment = try await Self.paymentOfForgotten(house, gateway, service)
            // Noted under the names that the gateway shows, as when somebody presents the receipt again.
            try await house.books.execute(
                """
                INSERT INTO finding (kinds, gateway, imp_uid, merchant_uid, amount, currency)
                VALUES ('{amount_mismatch}', 'portone-v1', '\(payment.impUID)', '\(payment.merchantUID)', 5000, 'KRW')
                """)
            let finding = try await house.books.count("SELECT id FROM finding")
            let refused = try await service.post(
                "/v1/findings/\(finding)/refund", #"{"reason": "nobody got coins"}"#, as: Token.finance())
            #expect(refused.status == 409 && refused.code == "payment_credited", "\(refused)")
            #expect(try await gateway.cancelled(payment) == 0)

            let started = try await service.post(
                "/v1/reconciliations", #"{"from": "\#(Town.from)", "to": "\#(Town.to)", "heal": true}"#,
                as: Token.finance())
            let path = started.headers["Location"] ?? ""
            try await eventually("the run is completed") {
                try await service.get(path, as: Token.finance()).json["status"] == "completed"
            }
            let items = try await service.get(path + "/items?kind=paid_not_credited", as: Token.finance())
            #expect(items.json["items"].elements.map { $0["outcome"].text } == ["credited"], "\(items)")
            try await house.expectSound()
        }
    }

    @Test func `a service that is killed while it forgets has a successor that does it, and nothing is half done`()
        async throws
    {
        try await House.with { house in
            let gateway = try await house.startGateway()
            let killed = try await house.serveProcess(at: gateway, Self.settings)
            try await killed.spendAll("kim-minji")
            try await house.linkUp()
            _ = try await killed.askToForget("kim-minji")
            // It comes to this row after others, and waits there.
            let other = try await PostgresConnection.connect(try .unhurried(house.ledger.ownerURL))
            try await other.execute("BEGIN; SELECT FROM lot WHERE user_id = 'kim-minji' FOR UPDATE")
            try await house.letForgettingsBeDue()
            // Only the server's owner sees what others do.
            let watching = try await house.ledger.database.connect()
            let waiting = "FROM pg_stat_activity WHERE query LIKE '%forget_user(%' AND wait_event_type = 'Lock'"
            try await eventually("it is in the middle") {
                try await house.retryForgettings()
                return try await watching.run(
                    PostgresQuery<Int64>.one("SELECT count(*) \(waiting)") { row in try row[0] }) > 0
            }
            await watching.close()
            try await house.kill(killed.process)
            try await house.ledger.execute("SELECT pg_terminate_backend(pid) \(waiting)")
            #expect(try await house.books.count("SELECT count(*) FROM account WHERE owner = 'kim-minji'") > 0)
            #expect(try await house.books.texts("SELECT status FROM forgetting") == ["waiting"])
            try await other.execute("ROLLBACK")
            await other.close()
            _ = try await house.serve(at: gateway, Self.settings)
            try await eventually("the successor forgets the user") {
                try await house.retryForgettings()
                return try await house.books.texts("SELECT status FROM forgetting") == ["forgotten"]
            }
            #expect(try await house.books.count("SELECT count(*) FROM account WHERE owner = 'kim-minji'") == 0)
            try await house.expectSound()
        }
    }
}

extension Service {
    /// Asks to forget a user.
    func askToForget(_ user: String) async throws -> JSON {
        let answer = try await send(
            .put, "/v1/users/\(user)/forgetting", as: Token.service(), headers: [("Content-Type", "application/json")],
            body: #"{"reason": "closed the account"}"#)
        #expect(answer.status == 200, "\(answer)")
        return answer.json
    }

    /// Gives a user coins, and spends them all.
    func spendAll(_ user: String) async throws {
        let given = #"{"coins": 60, "reason": "hello"}"#
        #expect(try await post("/v1/users/\(user)/grants", given, key: "grant-\(user)").status == 201)
        #expect(try await post("/v1/users/\(user)/spends", #"{"coins": 60}"#, key: "spend-\(user)").status == 201)
    }
}

extension House {
    /// Adds all entries to the chain.
    func linkUp() async throws {
        let ledger = try await self.ledger.open()
        _ = try await ledger.chain.linkUp(waiting: .seconds(20))
        await ledger.close()
    }

    /// Lets requests be tried now that are not being tried, although a process that was refused, or is gone, has them for a while.
    func retryForgettings() async throws {
        try await ledger.execute(
            """
            SET session_replication_role = replica;
            UPDATE forgetting SET next_attempt_at = now()
            WHERE id IN (SELECT id FROM forgetting WHERE status = 'waiting' FOR UPDATE SKIP LOCKED)
            """)
    }

    /// Lets the time of all requests to forget a user come.
    func letForgettingsBeDue() async throws {
        try await ledger.execute(
            """
            SET session_replication_role = replica;
            UPDATE forgetting SET asked_at = asked_at - interval '400 days', due_at = due_at - interval '400 days',
                next_attempt_at = now()
            WHERE status = 'waiting'
            """)
    }
}
