import LedgerTestSupport
import Postgres
import Testing

@testable import Ledger

/// What a service that is broken, or in somebody else's hands, can do to the books: nothing that the doctor would find.
///
/// The attempts are made from the catalogue, so that a table or a column that is added is tried too.
@Suite(.timeLimit(.minutes(20))) struct HostileServiceTests {
    @Test(.timeLimit(.minutes(20)))
    func `whatever the service's role tries is refused, or harmless for a reason that stands here`() async throws {
        try await TestLedger.with { ledger, test in
            try await ledger.liveThroughEverything()
            try await ledger.becomeOne()
            _ = try await ledger.chain.linkUp(waiting: .seconds(20))
            try await ledger.events.publisher.publish()
            try await Audit.expectSound(test)
            let catalogue = try await Catalogue(of: test)
            #expect(catalogue.tables.count >= 31)
            let service = try await test.connectAsService()
            var done: Set<String> = []
            var attempts = 0
            for attempt in catalogue.attempts {
                attempts += 1
                if await service.refusal(of: attempt.sql) == nil { done.insert(attempt.name) }
            }
            #expect(attempts > 600, "\(attempts)")
            let harmful = done.filter { attempt in !Self.harmless.contains { $0.covers(attempt) } }
            #expect(harmful.sorted() == [], "was done and is not known to be harmless")
            for harmless in Self.harmless {
                #expect(done.contains(where: harmless.covers), "\(harmless.attempt) is refused by now")
            }
            await service.close()
            try await Audit.expectSound(test)
        }
    }

    /// Those of triggers too: set on a table of the service's own, they would write what it says, as their owner.
    @Test func `the service's role may call the functions that stand here alone`() async throws {
        try await TestLedger.withDatabase { test in
            let owner = try await test.connectAsOwner()
            let callable = try await owner.run(
                PostgresQuery<[String]>(
                    """
                    SELECT proname FROM pg_proc
                    WHERE pronamespace = 'public'::regnamespace
                        AND has_function_privilege('ledgerd_service', oid, 'EXECUTE')
                        -- Functions of extensions and of range types are PostgreSQL's own.
                        AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_proc.oid AND deptype IN ('e', 'i'))
                    ORDER BY proname
                    """
                ) { row in try row[0] })
            await owner.close()
            #expect(
                callable == [
                    "add_campaign_users",  // names users of a campaign, whose budget stays
                    "advance_campaign",  // reserves coins of a campaign, within its budget
                    "agree_to_top_up",  // what a user agreed to is what the service says
                    "approve_campaign",  // another caller than its creator, as a person does in the console
                    "ask_for_top_up",  // makes an order, which takes no money
                    "ask_to_forget",  // nobody is forgotten before a day is over
                    "campaign_shares",  // reads, and locks
                    "cancel_forgetting",  // nobody is forgotten
                    "claim_campaign",  // reserves coins of a campaign, within its budget
                    "closed_until",  // reads, and waits for who closes the books
                    "converted",  // computes
                    "create_campaign",  // a campaign is what the service says, as a grant is
                    "credit_purchase",  // credits a payment that the service claims (ForgedClaimTests)
                    "credit_purchases",  // the same
                    "currency_decimals",  // computes
                    "end_kept_ids",  // erases only what was kept as long as it must
                    "entry_movements",  // reads
                    "entry_user",  // reads
                    "fail_top_up",  // ends a charge that nobody has paid; a payment that comes is credited
                    "finish_campaign_users",  // gives up what was reserved for users who have no coins
                    "finish_campaign_voids",  // how far a void is; another void begins at the start
                    "forget_user",  // only who is to be, a day later, and has nothing open
                    "half_even",  // computes
                    "is_forgetting",  // reads
                    "is_known_user",  // reads
                    "is_worth_of_payment",  // reads
                    "lock_payouts",  // reads, and locks
                    "lot_vat_breakage",  // computes
                    "lot_vat_deferred",  // computes
                    "lot_vat_payable",  // computes
                    "open_before",  // reads
                    "open_of_user",  // reads
                    "pause_campaign",  // the service may stop and resume what it may create
                    "pause_top_up",  // the consent is the user's, for whom the service acts
                    "person_of",  // computes
                    "posting_seq_as_of",  // reads
                    "posting_seq_at_event",  // reads
                    "purge_console_sessions",  // removes only what is over
                    "purge_endpoint_attempts",  // removes only what was tried more than a day ago
                    "purge_receipt_refusals",  // removes only what counts no more
                    "purge_webhook_events",  // removes only what was decided more than a day ago
                    "rate_needs_second_person",  // reads
                    "rate_of_month_end",  // reads
                    "rate_of_payment",  // reads
                    "record_expired_orders",  // tells only of orders that expired unpaid, once
                    "refuse_forgotten_payments",  // reads
                    "revoke_top_up",  // the same as a pause
                    "summarise_block_ranges",  // writes what indexes say of blocks, from the blocks
                    "targets_alike",  // reads
                    "user_as_of",  // reads
                    "user_behind",  // reads
                    "void_campaign",  // ends a campaign; what its lots lose is a void of each grant
                    "withdraw_top_up",  // a request that the service says did not arrive
                ])
        }
    }

    /// Facts that agree with what there is, but for one thing.
    @Test func `facts that do not agree with each other are refused`() async throws {
        try await TestLedger.with { ledger, test in
            try await ledger.liveThroughEverything()
            let service = try await test.connectAsService()
            for forgery in Forgery.all {
                let error = try await service.refusal(ofTransaction: forgery.sql)
                #expect(
                    error?.constraint == forgery.constraint, "\(forgery.name): \(error?.description ?? "was done")")
                let hasty = try await service.refusal(
                    ofTransaction: "SET CONSTRAINTS ALL IMMEDIATE; \(forgery.sql)")
                #expect(hasty?.constraint != nil, "\(forgery.name): \(hasty?.description ?? "was done")")
            }
            await service.close()
            try await Audit.expectSound(test)
        }
    }

    /// What the service may do, and why it falsifies no books.
    private static let harmless = [
        Harmless(
            "update account.row_lock", "it is never anything but NULL: the right to change it is the right to lock"),
        Harmless("update refund.reason", "why a pending refund is asked for again; its money is the gateway's to tell"),
        Harmless("update refund.attempts", "how often it was asked for"),
        Harmless("update refund.next_attempt_at", "when it is asked for again"),
        Harmless(
            "update refund.asked_at", "when it was last asked for; the gateway's balance stops a second cancellation"),
        Harmless(
            "update refund.tax_free", "the tax-free part that is sent to the gateway; it refuses more than is left"),
        Harmless("update refund.lease_holder", "which process works on it; the others wait at most for its lease"),
        Harmless(
            "update receipt_retry.*", "a receipt that waits: its payment is asked of the gateway before it credits"),
        Harmless("insert receipt_refusal", "how many receipts of a user were refused lately"),
        Harmless("update receipt_refusal.*", "the same"),
        Harmless("update webhook_event.*", "what a webhook tells is asked of the gateway before it moves anything"),
        Harmless(
            "insert notification_walk",
            "how far notifications were walked: the gateway sends them too, and the books ask it"),
        Harmless("update notification_walk.*", "the same"),
        Harmless("update finding.*", "what people are to look at; the next comparison with the gateway finds it again"),
        Harmless(
            "update grant_day.coins", "how many coins a service gave on a day, for its limit; the grants are entries"),
        Harmless("update product.active_until", "until when something is for sale; what was sold is a purchase"),
        Harmless("update product_price.active_until", "the same of a price in another currency"),
        Harmless(
            "update approval.*", "who approves what in the console; the service may do the same acts without approval"),
        Harmless(
            "update provider_account.*",
            "where a person pays a provider at the bank; a trigger keeps it as two people agreed, and no entry has it"),
        Harmless(
            "update closing_proposal.*",
            "who closes a month in the console: two people, as a trigger says; the service may close one without"),
        Harmless(
            "update account_day.*", "sums of the journal for pages; `ledgerd doctor` compares them with the postings"),
        Harmless("update account_day_progress.*", "the same"),
        Harmless("update settlement_columns.*", "which columns a form offers; a person sees what they make of a file"),
        Harmless("update console_session.*", "until when somebody is signed in; it decides nothing in the books"),
        Harmless("update endpoint_lane.*", "which events wait; what happened is in the events and the journal"),
        Harmless("delete endpoint_lane", "the same"),
        Harmless("delete endpoint_failure", "the same"),
        Harmless("update endpoint.*", "where events are sent to; what they tell is read from the books"),
        Harmless("update endpoint_reader.*", "the same"),
        Harmless("update balance_alert.*", "at which coins there is an event; what it says is read from the books"),
        Harmless("delete balance_alert", "the same"),
        Harmless("update campaign_run.*", "when a campaign is looked at again, and by which process"),
        Harmless(
            "update forgetting.*",
            "when a request is looked at again, and by which process; who and when does not change"),
        Harmless(
            "update refund_question.*",
            "what a store is told when it asks about a refund; what was used is in the books"),
        Harmless("update store_delivery.*", "whether a store is told of a purchase; what it bought is in the books"),
        Harmless("update top_up_charge.*", "when an order is looked up again, and by which process"),
        Harmless("delete reconciliation_item", "a comparison is a report on the books, and can be made again"),
        Harmless("update reconciliation_item.*", "the same"),
        Harmless("update reconciliation_run.*", "the same"),
    ]
}

private struct Harmless {
    /// As an attempt is named; `*` at the end stands for every column.
    let attempt: String

    init(_ attempt: String, _: String) { self.attempt = attempt }

    func covers(_ name: String) -> Bool {
        attempt.hasSuffix("*") ? name.hasPrefix(attempt.dropLast()) : name == attempt
    }
}
