extension TableContent {
    /// Every table with a column of text, JSON or bytes, and every table whose rows are a user's.
    ///
    /// A test compares it with the database: a new column has its place here before it is merged.
    static let all: [TableContent] = [
        // What a provider earned is told by shares and payouts: entries on its accounts are acts of other users.
        TableContent(
            "account", [.user: "owner", .naming: "code", .impersonal: "currency normal_side"],
            where: AccountSQL.isOfUser),
        TableContent("account_day", [.impersonal: "zone class currency"]),
        TableContent("account_day_progress", [.impersonal: "zone"]),
        // What proves a text once it is erased says nothing of it.
        TableContent("account_salt", [.impersonal: "salt code"], .of("account", by: "account_id")),
        TableContent("accounting_policy", [.impersonal: "subject method month", .staff: "set_by"]),
        TableContent("adjustment", [.impersonal: "subject month", .staff: "adjusted_by"]),
        TableContent("adjustment_basis", [.impersonal: "month zone"]),
        TableContent("adjustment_cohort", [.impersonal: "sold_in"]),
        TableContent(
            "approval",
            [
                .user: "user_id", .naming: "target parameters seen outcome", .words: "reason decision_reason",
                .bankAccount: "account", .key: "key", .impersonal: "act status",
                .staff: "proposed_by proposed_name decided_by decided_name withdrawn_by",
            ]),
        TableContent(
            "audit",
            [
                .user: "user_id", .naming: "target seen", .words: "reason", .key: "key", .staff: "subject name role",
                .impersonal: "act",
            ]),
        TableContent("audit_outcome", [.naming: "detail", .impersonal: "outcome"], .of("audit", by: "audit_id")),
        TableContent("balance_alert", [.user: "owner", .staff: "set_by"]),
        TableContent(
            "campaign",
            [
                .words: "status_reason reason note", .label: "name code", .staff: "created_by approved_by changed_by",
                .impersonal: "status",
            ]),
        TableContent("campaign_grant", [.user: "user_id"]),
        TableContent("campaign_run", [.impersonal: "status reason"]),
        TableContent("campaign_user", [.user: "user_id", .impersonal: "refusal"]),
        TableContent("chain_link", [.impersonal: "previous_hash hash totals"]),
        TableContent("claw_back_reversal", [:], .of("purchase", by: "purchase_id")),
        TableContent("closed_period", [.staff: "closed_by"]),
        TableContent(
            "closing_proposal",
            [
                .words: "reason", .key: "key", .staff: "proposed_by proposed_name decided_by decided_name",
                .impersonal: "status",
            ]),
        TableContent("coin_freeze", [.impersonal: "act"], .of("purchase", by: "purchase_id")),
        TableContent("coin_return", [:], .of("lot", by: "lot_id")),
        TableContent("console_session", [.staff: "subject name role", .impersonal: "token_sha256"]),
        TableContent(
            "custody_balance", [.words: "note", .key: "key", .staff: "entered_by", .impersonal: "custodian method"]),
        TableContent(
            "customer_note", [.user: "user_id", .words: "text", .key: "key", .staff: "written_by written_name"]),
        TableContent("debt_bank_payment", [.user: "user_id", .words: "bank_reference"]),
        TableContent(
            "difference_act",
            [.words: "reason", .payment: "imp_uid", .staff: "by whom", .impersonal: "gateway act"],
            .of("purchase", key: "gateway, imp_uid", by: "gateway, imp_uid")),
        TableContent(
            "dispute", [.user: "user_id", .words: "reason", .payment: "gateway_id", .impersonal: "status"]),
        TableContent(
            "dispute_decision", [.words: "reason", .staff: "decided_by", .impersonal: "outcome"],
            .of("dispute", by: "dispute_id")),
        TableContent("dispute_win", [:], .of("dispute", by: "dispute_id")),
        TableContent(
            "endpoint",
            [
                .users: "users", .words: "description", .key: "idempotency_key rotation_key", .digest: "fingerprint",
                .staff: "created_by",
                .impersonal:
                    "url types status status_reason secret_key_id secret_salt former_key_id former_salt",
            ]),
        TableContent("endpoint_attempt", [.words: "answer", .impersonal: "outcome"]),
        TableContent("endpoint_lane", [.user: "lane"]),
        TableContent(
            "endpoint_reader", [.key: "idempotency_key", .digest: "fingerprint", .staff: "requested_by"]),
        TableContent("entry_kind", [.impersonal: "kind fact debt"]),
        TableContent(
            "entry_salt", [.impersonal: "salt reference reason"], .of("journal_entry", by: "entry_id")),
        TableContent("event", [.user: "user_id", .impersonal: "type"]),
        // A finding about a user's order or purchase is that user's, even if it names another user, whom the export leaves out.
        TableContent(
            "finding",
            [
                .user: "user_id named_user", .payment: "imp_uid merchant_uid payment_id", .staff: "assigned_to",
                .impersonal: "gateway currency kinds",
            ],
            .of("order", key: "gateway, merchant_uid", by: "gateway, merchant_uid"),
            .of("purchase", key: "gateway, imp_uid", by: "gateway, imp_uid"),
            shown: [
                "user_id": "CASE WHEN user_id = ANY($1) THEN user_id END",
                "named_user": "CASE WHEN named_user = ANY($1) THEN named_user END",
            ]),
        // A finding is claimed for a user, and assigned to a colleague.
        TableContent(
            "finding_act", [.naming: "whom", .words: "reason", .staff: "by", .impersonal: "act"],
            .of("finding", by: "finding_id"),
            shown: ["whom": "CASE WHEN act = 'claim' AND whom = ANY($1) THEN whom END"]),
        TableContent("gift", [.user: "from_user to_user"]),
        TableContent("gift_lot", [:], .of("gift", by: "gift_id")),
        // Only who has the key that is not in the database knows whose the id was.
        TableContent("foreign_currency", [.impersonal: "code"]),
        TableContent(
            "forgetting",
            [
                .user: "user_id", .words: "note", .staff: "asked_by cancelled_by",
                .impersonal: "status reason kept_id kept_with",
            ]),
        TableContent("forgotten_payment", [.impersonal: "digest hashed_with"], .of("purchase", by: "purchase_id")),
        TableContent("grant_counted", [.key: "key", .staff: "caller"]),
        TableContent("grant_day", [.staff: "caller"]),
        TableContent("grant_void", [:], .of("lot", by: "lot_id")),
        TableContent("hold", [.user: "user_id", .words: "reference", .impersonal: "status"]),
        TableContent("hold_event", [.impersonal: "status"], .of("hold", by: "hold_id")),
        TableContent("hold_lot", [:], .of("hold", by: "hold_id")),
        TableContent(
            "idempotency",
            [.naming: "outcome", .key: "key", .digest: "fingerprint", .staff: "caller", .impersonal: "command"]),
        TableContent(
            "journal_entry", [.naming: "reference", .words: "reason", .impersonal: "kind"],
            .of("posting", key: "journal_entry_id", by: "id")),
        TableContent("judge_file", [.impersonal: "name checksum"]),
        TableContent("lot", [.user: "user_id", .label: "issuer", .impersonal: "kind currency vat"]),
        TableContent("lot_movement", [:], .of("lot", by: "lot_id")),
        TableContent("migration", [.impersonal: "name checksum"]),
        TableContent("notification_walk", [.impersonal: "gateway list"]),
        // Who decided a dispute is one of the shop's people.
        TableContent(
            "occurrence", [.user: "user_id", .naming: "subject detail", .impersonal: "type"],
            shown: ["detail": "detail - 'decided_by'"]),
        TableContent(
            "order",
            [
                .user: "user_id", .payment: "merchant_uid", .key: "idempotency_key",
                .impersonal: "gateway product currency vat",
            ]),
        TableContent(
            "payment_name", [.payment: "imp_uid merchant_uid", .impersonal: "gateway"],
            .of("purchase", by: "purchase_id")),
        TableContent(
            "payout",
            [.users: "providers", .words: "note", .key: "key", .staff: "proposed_by", .impersonal: "status"]),
        TableContent(
            "payout_decision",
            [.words: "reason bank_reference", .staff: "decided_by", .impersonal: "decision"]),
        TableContent("payout_entry", [.user: "provider"]),
        TableContent("payout_item", [.user: "provider"]),
        TableContent("payout_part", [.user: "provider"]),
        TableContent("posting", [.impersonal: "currency side"], .of("account", by: "account_id")),
        TableContent("product", [.impersonal: "code title currency vat"]),
        TableContent("product_price", [.impersonal: "product currency"]),
        TableContent(
            "provider_account",
            [
                .user: "provider", .bankAccount: "account", .staff: "proposed_by approved_by ended_by",
                .impersonal: "status",
            ]),
        TableContent("provider_repayment", [.user: "provider", .words: "bank_reference"]),
        TableContent("provider_share", [.user: "provider", .impersonal: "product"]),
        TableContent(
            "provider_terms", [.user: "provider", .staff: "set_by", .impersonal: "role withholding product"]),
        TableContent(
            "purchase",
            [
                .user: "user_id", .payment: "imp_uid merchant_uid payment_id",
                .impersonal: "status gateway product currency foreign_currency",
            ]),
        TableContent("purchase_reversal", [:], .of("purchase", by: "purchase_id")),
        TableContent("rate", [.staff: "set_by approved_by", .impersonal: "currency source"]),
        TableContent("rate_proposal", [.staff: "proposed_by decided_by", .impersonal: "currency source status"]),
        TableContent("receipt_refusal", [.user: "user_id"]),
        TableContent(
            "receipt_retry",
            [
                .user: "user_id", .words: "reason", .payment: "imp_uid merchant_uid payment_id",
                .impersonal: "gateway status",
            ]),
        TableContent(
            "reconciliation_item",
            [
                .payment: "imp_uid merchant_uid payment_id",
                .impersonal: "kind outcome gateway paid_status paid_currency credited_currency",
            ],
            .of("order", key: "gateway, merchant_uid", by: "gateway, merchant_uid"),
            .of("purchase", by: "purchase_id")),
        TableContent(
            "reconciliation_run",
            [
                .words: "failure", .payment: "place", .key: "idempotency_key", .staff: "requested_by",
                .impersonal: "gateways status stage counts lease",
            ]),
        TableContent(
            "refund",
            [
                .user: "user_id",
                .words: "explanation reason refusal fee_waiver bank_reference repayment_reference",
                .bankAccount: "refund_account", .payment: "cancellation_id",
                .impersonal: "status currency refusal_code method taken fee_rule foreign_currency",
            ]),
        TableContent(
            "refund_decision",
            [
                .words: "refusal bank_reference repayment_reference", .payment: "cancellation_id",
                .impersonal: "status refusal_code",
            ],
            .of("refund", by: "refund_id")),
        TableContent(
            "refund_question",
            [
                .words: "overruled_why", .staff: "overruled_by",
                .impersonal: "gateway token store_reason status reason preference overruled_to outcome",
            ],
            .of("purchase", by: "purchase_id")),
        TableContent("revaluation", [.staff: "revalued_by", .impersonal: "currency month"]),
        TableContent("revaluation_basis", [.impersonal: "currency month zone"]),
        TableContent("seal", [.impersonal: "statement public_key signature"]),
        TableContent(
            "settlement_columns",
            [
                .staff: "saved_by",
                .impersonal:
                    "gateway payment_id gross fee tax net paid_out_at payment_currency payout_rate payout_won",
            ]),
        TableContent(
            "settlement_dismissal",
            [.words: "reason", .payment: "payment", .staff: "dismissed_by", .impersonal: "kind"],
            .of("settlement_row", by: "row_id")),
        TableContent(
            "settlement_dismissal_check", [.payment: "payment", .staff: "checked_by"],
            .of("settlement_row", by: "row_id")),
        TableContent("settlement_file", [.words: "name", .staff: "imported_by", .impersonal: "sha256"]),
        TableContent(
            "settlement_row", [.payment: "payment", .impersonal: "status reason foreign_currency"],
            .of("purchase", by: "purchase_id")),
        // The store keeps the token, and it tells no user. After its user was forgotten, it leads to nobody.
        TableContent("store_account", [.user: "user_id"]),
        TableContent("store_consent", [.user: "user_id", .staff: "set_by"]),
        TableContent("store_delivery", [.impersonal: "status reason"], .of("purchase", by: "purchase_id")),
        TableContent("store_product", [.staff: "set_by", .impersonal: "store app product_id product"]),
        TableContent(
            "top_up",
            [
                .user: "user_id", .words: "reason", .bankAccount: "billing_key", .staff: "set_by changed_by",
                .impersonal: "status gateway product",
            ]),
        TableContent("top_up_charge", [.user: "user_id", .payment: "name merchant_uid", .impersonal: "status reason"]),
        TableContent("user_alias", [.user: "former user_id"]),
        TableContent("user_merge", [.user: "former user_id", .words: "reason", .staff: "merged_by"]),
        TableContent(
            "webhook_event",
            [
                .words: "reason", .payment: "imp_uid merchant_uid payment_id",
                .impersonal: "gateway event_id type status source question_token question_reason",
            ],
            .of("order", key: "gateway, merchant_uid", by: "gateway, coalesce(payment_id, merchant_uid)"),
            .of("purchase", key: "gateway, merchant_uid", by: "gateway, coalesce(payment_id, merchant_uid)"),
            .of("purchase", key: "gateway, imp_uid", by: "gateway, imp_uid")),
    ]
}
