import Foundation
import Postgres
import SoakHistory
import TestSupport

/// What is done when the faults are over: everything comes to rest, acts are repeated, books and gateway are read, and
/// every node is examined.
struct Aftermath {
    let stage: Stage
    let recorder: Recorder
    let crowd: Crowd

    func examine(_ record: inout Record) async throws {
        try await stage.nodes.heal()
        for service in stage.services { try await service.awaitReady(within: .seconds(60)) }
        await crowd.repeatActs()
        let connection = try await stage.connectAsOwner()
        try await connection.execute(Self.ageTopUps)
        do {
            try await eventually("no work is left", within: .seconds(240), every: .seconds(1)) {
                try await Self.open(connection) == 0
            }
        } catch {
            record.findings.append(Violation(.unsound, "work is left: \(try await Self.openWork(connection))"))
        }
        record.gateway = try await settledPayments(connection)
        record.books = try await Books(reading: connection)
        let toppedUp = "SELECT count(*) FROM top_up_charge WHERE status = 'credited'"
        if try await connection.run(PostgresQuery<Int64>.one(toppedUp) { row in try row[0] }) == 0 {
            record.findings.append(Violation(.tooLittleHappened, "no card was charged"))
        }
        await connection.close()
        record.findings += try await examineNodes()
    }

    /// Charges of cards without an answer are so old now that the gateway has carried them out or never will.
    private static let ageTopUps = """
        ALTER TABLE top_up_charge DISABLE TRIGGER top_up_charge_is_judged;
        UPDATE top_up_charge SET asked_at = asked_at - interval '16 minutes', next_attempt_at = now()
        WHERE status = 'waiting';
        ALTER TABLE top_up_charge ENABLE TRIGGER top_up_charge_is_judged
        """

    /// Receipts, webhooks, refunds and top-ups that are not finished.
    private static func open(_ connection: PostgresConnection) async throws -> Int64 {
        try await connection.run(
            PostgresQuery<Int64>.one(
                """
                SELECT (SELECT count(*) FROM receipt_retry WHERE status = 'waiting')
                    + (SELECT count(*) FROM refund WHERE status = 'pending')
                    + (SELECT count(*) FROM webhook_event WHERE status = 'waiting')
                    + (SELECT count(*) FROM top_up_charge WHERE status = 'waiting')
                """
            ) { row in try row[0] })
    }

    private static func openWork(_ connection: PostgresConnection) async throws -> String {
        let texts = try await connection.run(
            PostgresQuery(
                """
                SELECT 'receipt ' || merchant_uid || ' ' || reason FROM receipt_retry WHERE status = 'waiting'
                UNION ALL SELECT 'refund ' || id || ' attempts ' || attempts FROM refund WHERE status = 'pending'
                UNION ALL SELECT 'top-up ' || id || ' ' || reason FROM top_up_charge WHERE status = 'waiting'
                UNION ALL SELECT 'webhook ' || id FROM webhook_event WHERE status = 'waiting' LIMIT 20
                """
            ) { row in try row.decode(0, as: String.self) })
        return texts.joined(separator: "; ")
    }

    /// The gateway's payments, once the books say the same or two minutes have passed.
    private func settledPayments(_ connection: PostgresConnection) async throws -> [PaymentRecord] {
        var payments: [PaymentRecord] = []
        try? await eventually("books and gateway agree", within: .seconds(120), every: .seconds(2)) {
            payments = try await self.payments(connection)
            let books = try await Books(reading: connection)
            return !Checker(books: books, gateway: payments).violations(of: History()).contains {
                $0.rule == .gatewayDiffers
            }
        }
        return payments
    }

    /// Those of clients, and those of cards that ledgerd had charged, if the gateway knows them.
    private func payments(_ connection: PostgresConnection) async throws -> [PaymentRecord] {
        var payments: [PaymentRecord] = []
        for impUID in recorder.payments.values { payments.append(try await stage.gateway.find(impUID)) }
        let charged = try await connection.run(
            PostgresQuery<[String]>("SELECT merchant_uid FROM top_up_charge WHERE asked_at IS NOT NULL") { row in
                try row[0]
            })
        for merchantUID in charged {
            do {
                payments.append(try await stage.gateway.find(merchantUID))
            } catch let refusal as SandboxControl.Refused where refusal.status == 404 {
                continue
            }
        }
        return payments.sorted { $0.merchantUID < $1.merchantUID }
    }

    /// Seals the books, and lets the doctor examine each node against the seal.
    private func examineNodes() async throws -> [Violation] {
        let file = stage.directory.appending(path: "seal.json").path
        let made = try await stage.ledgerd(["seal", "--output", file, "--force"])
        guard made.code == 0 else { return [Violation(.unsound, "the books can't be sealed: \(made.text)")] }
        var found: [Violation] = []
        for node in Nodes.all {
            let url = try await stage.nodes.run("url", "ledgerd", try stage.servicePassword, "ledgerd", node)
            var result: (code: Int32, text: String) = (2, "")
            // A standby gets the last entries a moment later.
            try? await eventually("\(node) is sound", within: .seconds(30), every: .seconds(2)) {
                result = try await stage.ledgerd(
                    ["doctor", "--seal", file], ["LEDGERD_DATABASE_URL": url])
                return result.code == 0
            }
            if result.code != 0 { found.append(Violation(.unsound, "doctor of \(node): \(result.text)")) }
        }
        return found
    }
}
