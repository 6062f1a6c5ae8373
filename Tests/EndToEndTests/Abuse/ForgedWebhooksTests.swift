import Foundation
import TestSupport
import Testing

/// Anybody sends unsigned webhooks, by the thousand.
@Suite(.serialized, .timeLimit(.minutes(20))) struct ForgedWebhooksTests {
    /// How many forged events wait in the test of the delay; `LEDGERD_FORGED_EVENTS=1000000` is the full form.
    private static let forged = ProcessInfo.processInfo.environment["LEDGERD_FORGED_EVENTS"].flatMap(Int.init) ?? 20_000

    @Test func `an event that can name no payment is not stored`() async throws {
        try await House.with { house in
            let service = try await house.serve()
            for (impUID, merchantUID) in [
                ("../payments", "o-1"), ("imp 1", "o-1"), (String(repeating: "i", count: 33), "o-1"),
                ("imp_1", String(repeating: "o", count: 41)), ("imp_1", "\\u202eo-1"),
            ] {
                let answer = try await service.tellV1(
                    #"{"imp_uid": "\#(impUID)", "merchant_uid": "\#(merchantUID)", "status": "paid"}"#)
                #expect(answer.status == 400 && answer.code == "invalid_request" && answer.isProblem, "\(answer)")
            }
            let long = String(repeating: "x", count: 17 << 10)
            let tooLarge = try await service.tellV1(
                #"{"imp_uid": "imp_1", "merchant_uid": "o-1", "status": "paid", "more": "\#(long)"}"#)
            #expect(tooLarge.status == 413, "\(tooLarge)")
            #expect(try await house.books.events == 0)
        }
    }

    @Test func `waiting events of one payment are stored as one`() async throws {
        try await House.with { house in
            let service = try await house.serve()
            let answers = try await withThrowingTaskGroup(of: Answer.self) { group in
                for number in 0..<64 {
                    group.addTask {
                        try await service.tellV1(Hooks.v1(Payment(impUID: "imp_1", merchantUID: "o-\(number)"), "paid"))
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.allSatisfy { $0.status == 200 })
            #expect(answers.count { $0.json["status"] == "stored" } == 1)
            #expect(answers.count { $0.json["status"] == "known" } == 63)
            #expect(try await house.books.events == 1)
            #expect(try await house.books.count("SELECT repeats FROM webhook_event") == 63)
        }
    }

    @Test func `one network's waiting events are limited, and true events still arrive`() async throws {
        try await House.with { house in
            let service = try await house.serve(["LEDGERD_TRUSTED_PROXIES": "127.0.0.1"])
            let answers = try await Self.forge(0..<1200, at: service, from: "203.0.113.5")
            let stored = answers.count { $0.status == 200 }
            // Those that come at the same time do not see each other.
            #expect((1000..<1032).contains(stored), "\(stored)")
            let refused = answers.filter { $0.status != 200 }
            #expect(
                refused.allSatisfy {
                    $0.status == 429 && $0.code == "too_many_waiting_events" && $0.headers["Retry-After"] == "60"
                })
            #expect(try await house.books.events == Int64(stored))

            // An event of a payment that somebody waits for, and one from elsewhere.
            let awaited = Payment.unmade()
            #expect(try await service.present(awaited).status == 202)
            #expect(try await service.tellV1(Hooks.v1(awaited, "paid"), from: "203.0.113.5").status == 200)
            #expect(try await service.tellV1(Hooks.v1(.unmade(), "paid"), from: "198.51.100.7").status == 200)
            let network = try await Self.forge(5000..<5002, at: service, from: "2001:db8::1")
            #expect(network.allSatisfy { $0.status == 200 })
            #expect(
                try await house.books.count(
                    "SELECT count(*) FROM webhook_event WHERE source = '2001:db8:0:0::/64'") == 2)

            try await house.books.execute(
                """
                INSERT INTO webhook_event (gateway, type, imp_uid, merchant_uid, status, reason, source, next_attempt_at)
                SELECT 'portone-v1', 'paid', 'many_' || n, 'o', 'waiting', 'received', 'net ' || n % 20,
                    now() + interval '1 hour'
                FROM generate_series(1, 10000) AS n
                """)
            let full = try await service.tellV1(Hooks.v1(.unmade(), "paid"), from: "192.0.2.1")
            #expect(full.status == 429, "all networks together have a bound, too")
        }
    }

    @Test func `a true event is processed before all forged ones`() async throws {
        try await House.openNotified { house, gateway, service in
            let payment = try await gateway.pay("1000", #", "status": "ready", "version": "V1""#)
            #expect(try await service.present(payment).status == 202)
            // As if there were no bound.
            try await house.books.execute(
                """
                SET LOCAL statement_timeout = 0;
                INSERT INTO webhook_event (gateway, type, imp_uid, merchant_uid, status, reason, source)
                SELECT 'portone-v1', 'paid', 'imp_' || n, 'o-' || n, 'waiting', 'received', 'forger'
                FROM generate_series(1, \(Self.forged)) AS n;
                ANALYZE webhook_event
                """)
            try await house.books.postponeReceipts()
            try await gateway.change(payment, to: "paid")
            try await eventually("it is credited") { try await service.coins() == 100 }
            let untried = try await house.books.count(
                "SELECT count(*) FROM webhook_event WHERE source = 'forger' AND status = 'waiting' AND attempts = 0")
            #expect(untried > 0, "or it waited for them")
        }
    }

    @Test func `events decided long ago are deleted`() async throws {
        try await House.with { house in
            try await house.books.execute(
                """
                INSERT INTO webhook_event (gateway, type, imp_uid, merchant_uid, status, reason, decided_at)
                SELECT 'portone-v1', 'paid', 'imp_' || n, 'o', 'ignored', 'unknown_payment',
                    now() - n * interval '1 hour'
                FROM generate_series(1, 4000) AS n;
                INSERT INTO receipt_refusal (user_id, window_ends_at, refused)
                VALUES ('eve', now() - interval '1 minute', 31), ('mallory', now() + interval '1 minute', 31)
                """)
            _ = try await house.serve(["LEDGERD_WEBHOOK_RETENTION": "2d"])
            try await eventually("the old ones are gone") { try await house.books.events <= 48 }
            #expect(try await house.books.events >= 47)
            try await eventually("a count that is over is gone") {
                try await house.books.texts("SELECT user_id FROM receipt_refusal") == ["mallory"]
            }
        }
    }

    private static func forge(_ numbers: Range<Int>, at service: Service, from source: String) async throws -> [Answer]
    {
        try await withThrowingTaskGroup(of: Answer.self) { group in
            var answers: [Answer] = []
            for number in numbers {
                if number - numbers.lowerBound >= 16, let answer = try await group.next() { answers.append(answer) }
                group.addTask {
                    let payment = Payment(impUID: "imp_forged_\(number)", merchantUID: "o-\(number)")
                    return try await service.tellV1(Hooks.v1(payment, "paid"), from: source)
                }
            }
            for try await answer in group { answers.append(answer) }
            return answers
        }
    }
}
