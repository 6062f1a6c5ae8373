import EndToEndSupport
import Foundation
import Ledger
import LedgerTestSupport
import OutboundHTTP
import Postgres
import TestSupport
import Testing

/// A house with both gateways on, and payments of every kind planted on both sides.
struct Town: Sendable {
    let house: House
    let gateway: Gateway
    let ledger: Ledger
    /// The settings with which both gateways are asked.
    let settings: [String: String]

    /// The times within which all of it happens.
    static let period = Date().addingTimeInterval(-7200)..<Date().addingTimeInterval(7200)
    static let from = text(period.lowerBound)
    /// When the many were paid that nothing is the matter with.
    static let earlier = Int(Date().timeIntervalSince1970) - 3600
    /// After the many, and before all else.
    static let later = text(Date().addingTimeInterval(-1200))
    static let to = text(period.upperBound)

    static func with(_ body: (Town) async throws -> Void) async throws {
        try await House.with { house in
            let gateway = try await house.startGateway()
            let ledger = try await house.ledger.open()
            let settings = house.settings(gateway: gateway.url).merging(
                [
                    "LEDGERD_PORTONE_V2_URL": gateway.url, "LEDGERD_PORTONE_V2_SECRET": "sandbox-v2-secret",
                    "LEDGERD_PORTONE_V2_STORE_ID": "store-sandbox",
                ]) { $1 }
            do {
                try await body(Town(house: house, gateway: gateway, ledger: ledger, settings: settings))
                await ledger.close()
            } catch {
                await ledger.close()
                throw error
            }
        }
    }

    static func text(_ date: Date) -> String { date.formatted(.iso8601) }

    /// The name under which a payment of an API is recorded.
    static func name(_ version: String) -> String { "portone-\(version.lowercased())" }
}

// MARK: - Both sides

extension Town {
    /// Makes payments at the gateway, in one request if `count` is more than one; their ids then end in `-1`, `-2`, ….
    func pay(
        _ version: String, _ name: String, count: Int = 1, amount: Int = 1000, _ members: String = ""
    ) async throws {
        let counted = count > 1 ? #", "count": \#(count)"# : ""
        let ids =
            version == "V1" ? #""imp_uid": "imp_\#(name)""# : #""transaction_id": "tx_\#(name)""#
        try await gateway.control(
            """
            {\(ids), "merchant_uid": "order-\(version)-\(name)", "amount": \(amount), "version": "\(version)"\(counted)\(members)}
            """)
    }

    /// What the books call such a payment.
    static func identity(_ version: String, _ name: String) -> PaymentIdentity {
        let order = "order-\(version)-\(name)"
        return version == "V1"
            ? .sample(paymentID: "imp_\(name)", merchantUID: order)
            : .sampleInV2(paymentID: "tx_\(name)", merchantUID: order)
    }

    /// Credits payments by the engine, whatever the gateway says.
    func credit(_ version: String, _ names: [String], amount: Int64 = 1000, paidAt: Date = Date()) async throws {
        let commands = names.map { name in
            CreditPurchase.sample(
                by: "user-of-\(name)", payment: Self.identity(version, name), bonus: 0, won: amount, paidAt: paidAt)
        }
        try await withThrowingTaskGroup { group in
            for command in commands { group.addTask { _ = try await ledger.submit(command) } }
            try await group.waitForAll()
        }
    }

    /// Takes back, by the engine, what of a purchase is said to have been cancelled.
    func clawBack(_ version: String, _ name: String, _ amount: Int64) async throws {
        _ = try await ledger.submit(
            ClawBack(
                user: .named("user-of-\(name)"), payment: Self.identity(version, name), cancelledAmount: amount))
    }

    /// Keeps a receipt that its user presented and nobody has asked about since.
    func keepReceipt(_ version: String, _ name: String) async throws {
        let payment = Self.identity(version, name)
        let presented =
            version == "V1"
            ? payment
            : PaymentIdentity(
                gateway: payment.gateway, paymentID: payment.merchantUID, merchantUID: payment.merchantUID,
                merchantPaymentID: payment.merchantPaymentID)
        _ = try await ledger.retries.keep(
            presented, of: .named("user-of-\(name)"), because: "gateway_unavailable", askAgainAfter: .seconds(3600))
    }

    /// Makes many payments that were paid earlier and credited, the purchases' rows written as superuser
    /// and judged by nobody: no act will touch them.
    func fill(_ version: String, count: Int) async throws {
        let name = "many"
        try await pay(
            version, name, count: count, #", "started_at": \#(Self.earlier), "paid_at": \#(Self.earlier)"#)
        let impUID = version == "V1" ? "imp_\(name)" : "tx_\(name)"
        let paymentID = version == "V1" ? "NULL" : "'order-\(version)-\(name)-' || n"
        try await house.ledger.execute(
            """
            SET LOCAL session_replication_role = replica;
            WITH made AS MATERIALIZED (
                SELECT n, nextval('record_id') AS id FROM generate_series(1, \(count)) AS n
            ), entry AS (
                INSERT INTO journal_entry (id, stripe, kind, reference, effective_at, recorded_at)
                SELECT id, 0, 'purchase', 'purchase:' || id + 1, now(), now() FROM made
            )
            INSERT INTO purchase (
                id, stripe, user_id, status, gateway, imp_uid, merchant_uid, payment_id, product, amount, currency,
                coins, bonus_coins, paid_at, credited_at, journal_entry_id)
            SELECT id + 1, 0, 'a-buyer', 'credited', '\(Self.name(version))', '\(impUID)-' || n,
                'order-\(version)-\(name)-' || n, \(paymentID), 'coins_100', 1000, 'KRW', 100, 0, to_timestamp(\(Self.earlier)),
                now(), id
            FROM made
            """)
    }
}

extension Gateway {
    /// Sends a control request that makes something.
    func control(_ body: String) async throws {
        let answer = Answer(
            try await transport.send(
                HTTPRequest(
                    .post, HTTPURL(url + "/sandbox/payments"), headers: [("Content-Type", "application/json")],
                    body: Array(body.utf8), totalTimeout: Patience.hang)))
        #expect(answer.status == 201, "\(answer)")
    }
}
