import Postgres
import TestSupport

extension House {
    /// Returns when the services have nothing to do: what came of everything that they have heard of is in the books.
    ///
    /// In one snapshot of the database:
    /// - no receipt, event of a gateway, refund, top-up or reconciliation is due or worked on,
    /// - every journal entry and occurrence has its event,
    /// - every event that an endpoint wants was delivered, or waits for a later attempt,
    /// - no hold, lot or order has to expire.
    ///
    /// Each piece of work stays in its list until all that it does is committed, so nothing is between two lists. What
    /// this can't see: a request that the test has not had the answer of, a webhook that is still on its way to the
    /// service, and what a service took up before it had its session for notifications. The chain is extended every 30 s,
    /// and nobody waits for it. So wait first for what has come from outside, then for this, then assert.
    ///
    /// What waits for a later attempt is left alone; ``Books/makeReceiptsDue()`` and its like make it due.
    package func settled() async throws {
        var left: [String] = []
        do {
            try await eventually("the services have nothing to do") {
                left = try await unsettled()
                return left.isEmpty
            }
        } catch let failure as DidNotHappen {
            throw DidNotHappen(description: "\(failure): \(left.joined(separator: ", ")) are left")
        }
    }

    /// What services still have to do.
    package func unsettled() async throws -> [String] {
        // A session of its own, because only one that begins after a `TestClock` reads it.
        try await PostgresConnection.with(PostgresConfiguration(url: ledger.ownerURL)) { connection in
            try await connection.run(Self.work)
        }
    }

    private static let work = PostgresQuery<[String]>(
        """
        SELECT 'receipts' WHERE EXISTS (
            SELECT FROM receipt_retry
            WHERE status = 'waiting' AND (next_attempt_at <= now() OR lease_holder IS NOT NULL))
        UNION ALL
        SELECT 'events of gateways' WHERE EXISTS (
            SELECT FROM webhook_event
            WHERE status = 'waiting' AND (next_attempt_at <= now() OR lease_holder IS NOT NULL))
        UNION ALL
        SELECT 'refunds' WHERE EXISTS (
            SELECT FROM refund
            WHERE status = 'pending' AND (next_attempt_at <= now() OR lease_holder IS NOT NULL))
        UNION ALL
        SELECT 'top-ups' WHERE EXISTS (
            SELECT FROM top_up_charge
            WHERE status = 'waiting' AND (next_attempt_at <= now() OR lease_holder IS NOT NULL))
        UNION ALL
        SELECT 'deliveries of stores' WHERE EXISTS (
            SELECT FROM store_delivery
            WHERE status = 'waiting' AND (next_attempt_at <= now() OR lease_holder IS NOT NULL))
        UNION ALL
        SELECT 'questions of stores' WHERE EXISTS (
            SELECT FROM refund_question
            WHERE status = 'waiting' AND (next_attempt_at <= now() OR lease_holder IS NOT NULL))
        UNION ALL
        SELECT 'campaigns' WHERE EXISTS (
            SELECT FROM campaign_run
            WHERE status = 'waiting' AND (next_attempt_at <= now() OR lease_holder IS NOT NULL))
        UNION ALL
        SELECT 'reconciliations' WHERE EXISTS (
            SELECT FROM reconciliation_run
            WHERE status = 'running' AND (leased_until <= now() OR lease_holder IS NOT NULL))
        UNION ALL
        SELECT 'numbers of events'
        WHERE (SELECT count(*) FROM journal_entry) + (SELECT count(*) FROM occurrence) > (SELECT count(*) FROM event)
        UNION ALL
        SELECT 'deliveries' WHERE EXISTS (
            SELECT FROM endpoint JOIN endpoint_reader AS reader ON reader.endpoint_id = endpoint.id
            WHERE endpoint.status = 'enabled' AND reader.finished_at IS NULL
                AND (endpoint.paused_until IS NULL OR endpoint.paused_until <= now())
                AND (
                    EXISTS (
                        SELECT FROM endpoint_lane AS lane
                        WHERE lane.reader_id = reader.id AND lane.next_attempt_at <= now())
                    OR EXISTS (
                        SELECT FROM event
                        WHERE event.seq > reader.position AND (reader.until IS NULL OR event.seq <= reader.until)
                            AND (cardinality(endpoint.types) = 0 OR event.type = ANY (endpoint.types))
                            AND (cardinality(endpoint.users) = 0 OR event.user_id = ANY (endpoint.users))
                            AND (NOT reader.only_failed OR EXISTS (
                                SELECT FROM endpoint_failure AS failure
                                WHERE failure.endpoint_id = endpoint.id AND failure.seq = event.seq))
                            AND NOT EXISTS (
                                SELECT FROM endpoint_lane AS lane
                                WHERE lane.reader_id = reader.id AND lane.lane = coalesce(event.user_id, '')))))
        UNION ALL
        SELECT 'holds' WHERE EXISTS (SELECT FROM hold WHERE status = 'open' AND expires_at <= now())
        UNION ALL
        SELECT 'lots' WHERE EXISTS (SELECT FROM lot WHERE is_open AND remaining > 0 AND expires_at <= now())
        UNION ALL
        SELECT 'orders' WHERE EXISTS (
            SELECT FROM "order", order_expiry WHERE expires_at > order_expiry.until AND expires_at <= now())
        """
    ) { row in try row[0] }
}
