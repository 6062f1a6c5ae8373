import Foundation
import LedgerTestSupport
import Postgres
import TestSupport
import Testing

@testable import Ledger

/// A lease ends with the process that has it, and otherwise with its time.
@Suite(.timeLimit(.minutes(20))) struct LeaseTests {
    @Test func `what a process had leased is due when its session ends, and not before`() async throws {
        try await Pair.with { pair in
            let listening = try await pair.listen()
            try await pair.leaseOfEachKind()
            #expect(try await pair.survivor.endLeasesOfEndedProcesses() == 0, "it is running")
            #expect(try await pair.taken() == [0, 0, 0, 0])

            listening.cancel()
            try? await listening.value
            try await pair.endAllLeases()
            #expect(try await pair.taken() == [1, 1, 1, 1])
            #expect(try await pair.survivor.endLeasesOfEndedProcesses() == 0, "the survivor is not ended for them")
        }
    }

    @Test func `a process whose session the server ended loses its leases, also if it connects again`() async throws {
        try await Pair.with { pair in
            let first = try await pair.listen()
            try await pair.leaseOfEachKind()
            let lost = pair.owner.presence.leaseHolder
            let admin = try await pair.test.database.connect()
            try await admin.execute(
                """
                SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                WHERE datname = current_database() AND application_name LIKE '% listener'
                """)
            await admin.close()
            await #expect(throws: LedgerError.self) { try await first.value }
            #expect(pair.owner.presence.leaseHolder == nil)
            let second = try await pair.listen()
            #expect(pair.owner.presence.leaseHolder != lost)
            try await pair.endAllLeases()
            second.cancel()
            try? await second.value
        }
    }

    @Test func `a lease of a process without a session only runs out`() async throws {
        try await Pair.with { pair in
            try await pair.leaseOfEachKind()
            #expect(try await pair.survivor.endLeasesOfEndedProcesses() == 0)
            #expect(try await pair.taken() == [0, 0, 0, 0])
            try await pair.test.execute("UPDATE refund SET next_attempt_at = now() WHERE status = 'pending'")
            #expect(try await pair.taken() == [1, 0, 0, 0])
        }
    }

    @Test func `what was postponed or decided is no lease any more`() async throws {
        try await Pair.with { pair in
            let listening = try await pair.listen()
            try await pair.keepReceipt()
            let receipt = try #require(try await pair.owner.retries.takeDue(limit: 1, lease: .seconds(60)).first)
            try await pair.owner.retries.postpone(receipt, because: "gateway_unavailable", by: .seconds(60))
            try await pair.storeEvent()
            let event = try #require(try await pair.owner.webhooks.takeDue(limit: 1, lease: .seconds(60)).first)
            try await pair.owner.webhooks.decide(event, .done, because: "agrees")
            listening.cancel()
            try? await listening.value
            try await eventually("the session is gone") { try await pair.test.sessions(named: "listener") == 0 }
            #expect(try await pair.survivor.endLeasesOfEndedProcesses() == 0)
        }
    }
}

/// Only one process asks a gateway at a time, and what it asked is known to the next.
@Suite(.timeLimit(.minutes(20))) struct AskingTests {
    @Test func `of two processes that have a refund, one asks`() async throws {
        try await Pair.with { pair in
            let refund = try await pair.begin()
            let mine = PendingRefund(begun: refund, to: nil)
            try await pair.test.makeRefundsDue()
            let theirs = try #require(try await pair.survivor.refunds.takeDue(limit: 1, lease: .seconds(60)).first)
            #expect(theirs.askedAt == nil && !theirs.mayBeUnderWay)
            let asked = try #require(try await pair.owner.refunds.beginAsking(mine))
            #expect(try await pair.survivor.refunds.beginAsking(theirs) == nil)

            try await pair.test.makeRefundsDue()
            let next = try #require(try await pair.survivor.refunds.takeDue(limit: 1, lease: .seconds(60)).first)
            #expect(next.askedAt == asked.at && next.mayBeUnderWay)
            try await pair.test.execute("UPDATE refund SET asked_at = now() - interval '91 s', next_attempt_at = now()")
            let later = try #require(try await pair.survivor.refunds.takeDue(limit: 1, lease: .seconds(60)).first)
            #expect(later.askedAt != nil && !later.mayBeUnderWay)
            #expect(try await pair.survivor.refunds.beginAsking(later) != nil)
            #expect(try await pair.owner.refunds.beginAsking(later) == nil, "it was asked since it was read")
        }
    }

    @Test func `a request that did not arrive leaves the refund as never asked for`() async throws {
        try await Pair.with { pair in
            let pending = PendingRefund(begun: try await pair.begin(), to: nil)
            let asked = try #require(try await pair.owner.refunds.beginAsking(pending))
            try await pair.owner.refunds.wasNotAsked(pending, at: asked.at.addingTimeInterval(-1))
            #expect(try await pair.test.number("SELECT count(*) FROM refund WHERE asked_at IS NULL") == 0)
            try await pair.owner.refunds.wasNotAsked(pending, at: asked.at)
            #expect(try await pair.test.number("SELECT count(*) FROM refund WHERE asked_at IS NULL") == 1)
        }
    }

    @Test func `every request of a refund has the tax-free part of the first, also one that never arrived`()
        async throws
    {
        try await Pair.with { pair in
            let pending = PendingRefund(begun: try await pair.begin(), to: nil)
            let asked = try #require(try await pair.owner.refunds.beginAsking(pending, taxFree: 7))
            #expect(asked.taxFree == 7)
            try await pair.owner.refunds.wasNotAsked(pending, at: asked.at)
            #expect(try await pair.survivor.refunds.beginAsking(pending, taxFree: 8)?.taxFree == 7)

            try await pair.test.makeRefundsDue()
            let next = try #require(try await pair.survivor.refunds.takeDue(limit: 1, lease: .seconds(60)).first)
            #expect(next.refund.taxFree == 7)
            #expect(try await pair.survivor.refunds.beginAsking(next)?.taxFree == 7)
        }
    }

    @Test func `a cancellation that was asked for without a tax-free part stays without one`() async throws {
        try await Pair.with { pair in
            let pending = PendingRefund(begun: try await pair.begin(), to: nil)
            #expect(try #require(try await pair.owner.refunds.beginAsking(pending)).taxFree == nil)
            try await pair.test.makeRefundsDue()
            let next = try #require(try await pair.survivor.refunds.takeDue(limit: 1, lease: .seconds(60)).first)
            #expect(try #require(try await pair.survivor.refunds.beginAsking(next, taxFree: 8)).taxFree == nil)
        }
    }

    @Test func `the tax-free part of a refund is within its amount`() async throws {
        try await Pair.with { pair in
            let refund = try await pair.begin()
            for part in [-1, refund.amount + 1] {
                await #expect(throws: (any Error).self) {
                    _ = try await pair.owner.refunds.beginAsking(PendingRefund(begun: refund, to: nil), taxFree: part)
                }
            }
        }
    }

    @Test func `a refund that nobody drives is taken up, and one that was asked for is left alone`() async throws {
        try await Pair.with { pair in
            let refund = try await pair.begin()
            try await pair.survivor.refunds.takeUp(refund.id)
            let taken = try #require(try await pair.survivor.refunds.takeDue(limit: 1, lease: .seconds(60)).first)
            _ = try await pair.survivor.refunds.beginAsking(taken)
            try await pair.survivor.refunds.takeUp(refund.id)
            #expect(try await pair.survivor.refunds.takeDue(limit: 1, lease: .seconds(60)).isEmpty)
        }
    }
}

/// Two processes with one database.
private struct Pair {
    /// Has the leases.
    let owner: Ledger
    let survivor: Ledger
    let test: TestLedger

    static func with(_ body: (Pair) async throws -> Void) async throws {
        try await TestLedger.with { owner, test in
            let survivor = try await test.open()
            try await body(Pair(owner: owner, survivor: survivor, test: test))
            await survivor.close()
        }
    }

    /// Lets the owner listen, and returns when it shows that it is running.
    func listen() async throws -> Task<Void, any Error> {
        let listening = Task { try await owner.listenForWork { _ in } }
        try await eventually("it listens") { owner.presence.leaseHolder != nil }
        return listening
    }

    /// The survivor ends the four leases; the owner's session can end between its looks at two kinds.
    func endAllLeases() async throws {
        var ended = 0
        try await eventually("its leases have ended") {
            ended += try await survivor.endLeasesOfEndedProcesses()
            return ended >= 4
        }
        #expect(ended == 4)
    }

    /// Gives the owner a lease of a refund, a receipt, an event and a run.
    func leaseOfEachKind() async throws {
        _ = try await begin()
        try await keepReceipt()
        try await storeEvent()
        #expect(try await owner.retries.takeDue(limit: 9, lease: .seconds(60)).count == 1)
        #expect(try await owner.webhooks.takeDue(limit: 9, lease: .seconds(60)).count == 1)
        let period = Date(timeIntervalSince1970: 0)..<Date(timeIntervalSince1970: 1)
        let draft = ReconciliationDraft(period: period, heals: false, gateways: ["portone-v1"], day: "1970-01-01")
        _ = try await owner.reconciliations.start(draft, stage: "books")
        #expect(try await owner.reconciliations.take(ofGateways: ["portone-v1"]) != nil)
    }

    /// What the survivor gets: refunds, receipts, events and runs.
    func taken() async throws -> [Int] {
        [
            try await survivor.refunds.takeDue(limit: 9, lease: .seconds(60)).count,
            try await survivor.retries.takeDue(limit: 9, lease: .seconds(60)).count,
            try await survivor.webhooks.takeDue(limit: 9, lease: .seconds(60)).count,
            try await survivor.reconciliations.take(ofGateways: ["portone-v1"]) == nil ? 0 : 1,
        ]
    }

    func begin() async throws -> Refund {
        let purchase = try await owner.buy(.sample())
        return try await owner.begin(.sample(of: purchase.id))
    }

    func keepReceipt() async throws {
        _ = try await owner.retries.keep(
            CreditPurchase.sample(7).payment, of: .named("ann"), because: "gateway_unavailable", askAgainAfter: .zero)
    }

    func storeEvent() async throws {
        let event = WebhookRecordDraft(
            gateway: "portone-v2", eventID: "event", type: "paid", paymentID: nil, merchantUID: nil,
            merchantPaymentID: "order")
        _ = try await owner.webhooks.store(event)
    }
}

extension TestLedger {
    fileprivate func makeRefundsDue() async throws {
        try await execute("UPDATE refund SET next_attempt_at = now() WHERE status = 'pending'")
    }

    fileprivate func sessions(named name: String) async throws -> Int64 {
        try await number(
            """
            SELECT count(*) FROM pg_stat_activity
            WHERE datname = current_database() AND application_name LIKE '%\(name)'
            """)
    }
}
