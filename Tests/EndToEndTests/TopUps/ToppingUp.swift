import EndToEndSupport
import OutboundHTTP
import TestSupport
import Testing

extension Service {
    /// Stores a user's consent: 100 coins for ₩1,000 below 50, at most ₩30,000 a month.
    func agree(
        _ user: String, at version: Version, card: String = "card", below: Int = 50, won: Int = 30_000
    ) async throws -> Answer {
        try await send(
            .put, "/v1/users/\(user)/top-up", as: Token.service(), headers: [("Content-Type", "application/json")],
            body: """
                {"gateway": "\(version.gateway)", "billing_key": "\(card)", "product": "coins_100", "threshold": \(below),
                "monthly_limit": \(won)}
                """)
    }

    /// The user's consent and its charges.
    func topUp(of user: String) async throws -> JSON {
        try await get("/v1/users/\(user)/top-up", as: Token.service()).json
    }

    /// Gives a user 60 coins, stores the consent, and spends 20.
    func spendBelow(_ user: String, at version: Version, card: String = "card") async throws {
        #expect(try await agree(user, at: version, card: card).status == 200)
        let given = #"{"coins": 60, "reason": "hello"}"#
        #expect(try await post("/v1/users/\(user)/grants", given, key: "grant-\(user)").status == 201)
        #expect(try await post("/v1/users/\(user)/spends", #"{"coins": 20}"#, key: "spend-\(user)").status == 201)
    }
}

extension Version {
    /// Where its charges are asked for.
    var chargePath: String { self == .v1 ? "/subscribe/payments/again" : "/payments/*/billing-key" }
}

extension Gateway {
    /// The orders that it was asked to charge, one for each request.
    func chargesAsked() async throws -> [String] {
        let again = try await journal("/subscribe/payments/again").compactMap { $0["body"]["merchant_uid"].text }
        let paths = try await journal("/payments/").compactMap { $0["path"].text }
        let keys = paths.filter { $0.hasSuffix("/billing-key") }
        return again + keys.compactMap { $0.split(separator: "/").dropFirst().first.map(String.init) }
    }

    /// Whether it has taken money for an order.
    func hasCharged(_ order: String) async throws -> Bool {
        let answer = Answer(
            try await transport.send(
                HTTPRequest(.get, HTTPURL(url + "/sandbox/payments/\(order)"), totalTimeout: Patience.hang)))
        return answer.json["status"] == "paid"
    }
}

extension Books {
    /// The charges of all users, each as `status reason`, in order.
    var topUps: [String] {
        get async throws { try await texts("SELECT status || ' ' || reason FROM top_up_charge ORDER BY id") }
    }

    /// Makes charges without an answer so old that the gateway has carried them out or never will.
    func ageTopUps() async throws {
        try await execute(
            """
            ALTER TABLE top_up_charge DISABLE TRIGGER top_up_charge_is_judged;
            UPDATE top_up_charge SET asked_at = asked_at - interval '16 minutes', next_attempt_at = now()
            WHERE status = 'waiting' AND asked_at > now() - interval '15 minutes';
            ALTER TABLE top_up_charge ENABLE TRIGGER top_up_charge_is_judged
            """)
    }

    /// Makes every waiting charge due, and lets consents rest no more.
    func makeTopUpsDue() async throws {
        try await execute(
            """
            UPDATE top_up_charge SET next_attempt_at = now() WHERE status = 'waiting' AND lease_holder IS NULL;
            UPDATE top_up SET rests_until = NULL WHERE rests_until IS NOT NULL
            """)
    }
}
