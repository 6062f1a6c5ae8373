-- Made from the migrations by SchemaFileTests; not to be edited, nor to be run.

CREATE FUNCTION public.closed_until() RETURNS timestamp with time zone
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
BEGIN
    PERFORM pg_advisory_xact_lock_shared(7810759524158039406);
    RETURN (SELECT max(until) FROM closed_period);
END
$$;

CREATE FUNCTION public.judge_chain_links() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
BEGIN
    IF EXISTS (
        SELECT FROM new_chain_link AS link
        LEFT JOIN chain_link AS before ON before.id = link.id - 1
        WHERE CASE WHEN link.id = 1 THEN link.first_position <> 1
            ELSE before.id IS NULL OR link.first_position <> before.last_position + 1
                OR link.previous_hash <> before.hash
                OR (link.transaction_id, link.entry_id) <= (before.transaction_id, before.entry_id) END
    ) THEN
        RAISE EXCEPTION 'a link of the chain does not follow the one before it'
            USING ERRCODE = 'foreign_key_violation', TABLE = 'chain_link', CONSTRAINT = 'chain_link_follows';
    END IF;
    RETURN NULL;
END
$$;

CREATE FUNCTION public.judge_closing() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(7810759524158039406);
    IF NEW.until <= (SELECT max(until) FROM closed_period) THEN
        RAISE EXCEPTION 'everything before % is closed already', NEW.until
            USING ERRCODE = 'check_violation', TABLE = 'closed_period', CONSTRAINT = 'closed_period_goes_forward';
    END IF;
    NEW.closed_at := clock_timestamp();
    RETURN NEW;
END
$$;

CREATE FUNCTION public.judge_entries() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
DECLARE
    open_from timestamptz := closed_until();
    wrong record;
BEGIN
    SELECT id, effective_at INTO wrong FROM new_entry WHERE effective_at < open_from LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'journal entry % is effective before %, and that is closed', wrong.id, open_from
            USING ERRCODE = 'check_violation', TABLE = 'journal_entry', CONSTRAINT = 'journal_entry_in_open_period';
    END IF;
    RETURN NULL;
END
$$;

CREATE FUNCTION public.judge_lot_movements() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
DECLARE
    wrong record;
BEGIN
    SELECT moved.lot_id INTO wrong
        FROM (
            SELECT lot_id, count(*) AS count, min(seq) AS first, max(seq) AS last,
                max(ARRAY[seq, remaining, held, deferred]) AS state, min(stripe) AS low_stripe,
                max(stripe) AS high_stripe
            FROM new_lot_movement
            GROUP BY lot_id
        ) AS moved
        LEFT JOIN lot ON lot.id = moved.lot_id
        LEFT JOIN lot_movement AS before ON before.lot_id = moved.lot_id AND before.seq = moved.first - 1
        WHERE lot.id IS NULL OR lot.stripe <> moved.low_stripe OR lot.stripe <> moved.high_stripe
            OR moved.count <> moved.last - moved.first + 1
            OR moved.first > 1 AND before.seq IS NULL
            OR moved.state <> ARRAY[lot.seq, lot.remaining, lot.held, lot.deferred]
        LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'the movements of lot % do not fit it', wrong.lot_id
            USING ERRCODE = 'foreign_key_violation', TABLE = 'lot_movement', CONSTRAINT = 'lot_movement_fits_lot';
    END IF;
    RETURN NULL;
END
$$;

CREATE FUNCTION public.judge_lots() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
DECLARE
    wrong record;
BEGIN
    SELECT lot.id INTO wrong
        FROM new_lot AS lot
        LEFT JOIN journal_entry AS entry ON entry.id = lot.journal_entry_id
        LEFT JOIN purchase ON purchase.id = lot.purchase_id
        WHERE entry.id IS NULL OR entry.stripe <> lot.stripe
            OR lot.purchase_id IS NOT NULL
            AND (purchase.id IS NULL OR purchase.journal_entry_id <> lot.journal_entry_id
                OR purchase.user_id <> lot.user_id)
        LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'lot % does not fit its journal entry or purchase', wrong.id
            USING ERRCODE = 'foreign_key_violation', TABLE = 'lot', CONSTRAINT = 'lot_fits_entry_and_purchase';
    END IF;
    RETURN NULL;
END
$$;

CREATE FUNCTION public.judge_postings() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
DECLARE
    wrong record;
BEGIN
    SELECT sums.journal_entry_id, sums.currency, sums.debited INTO wrong
        FROM (
            SELECT journal_entry_id, currency, min(stripe) AS low_stripe, max(stripe) AS high_stripe,
                sum(CASE side WHEN 'D' THEN amount ELSE -amount END) AS debited
            FROM new_posting
            GROUP BY journal_entry_id, currency
        ) AS sums
        LEFT JOIN journal_entry AS entry ON entry.id = sums.journal_entry_id
        WHERE sums.debited <> 0 OR entry.id IS NULL
            OR entry.stripe <> sums.low_stripe OR entry.stripe <> sums.high_stripe
        ORDER BY sums.debited = 0
        LIMIT 1;
    IF FOUND AND wrong.debited <> 0 THEN
        RAISE EXCEPTION 'journal entry % does not balance in %', wrong.journal_entry_id, wrong.currency
            USING ERRCODE = 'check_violation', TABLE = 'posting', CONSTRAINT = 'journal_entry_balances';
    ELSIF FOUND THEN
        RAISE EXCEPTION 'the postings of journal entry % do not fit it', wrong.journal_entry_id
            USING ERRCODE = 'foreign_key_violation', TABLE = 'posting', CONSTRAINT = 'posting_fits_account_and_entry';
    END IF;

    SELECT sums.account_id INTO wrong
        FROM (
            SELECT account_id, count(*) AS count, min(seq) AS first, max(seq) AS last,
                (max(ARRAY[seq, balance]))[2] AS balance,
                min(stripe) AS low_stripe, max(stripe) AS high_stripe,
                min(currency) AS low_currency, max(currency) AS high_currency,
                sum(CASE side WHEN 'D' THEN amount ELSE -amount END) AS debited
            FROM new_posting
            GROUP BY account_id
        ) AS sums
        LEFT JOIN account ON account.id = sums.account_id
        LEFT JOIN posting AS before ON before.account_id = sums.account_id AND before.seq = sums.first - 1
        WHERE account.id IS NULL
            OR account.stripe <> sums.low_stripe OR account.stripe <> sums.high_stripe
            OR account.currency <> sums.low_currency OR account.currency <> sums.high_currency
            OR sums.count <> sums.last - sums.first + 1 OR account.seq <> sums.last
            OR sums.first > 1 AND before.seq IS NULL
            OR account.balance <> sums.balance
            OR account.balance <> coalesce(before.balance, 0)
                + CASE account.normal_side WHEN 'D' THEN sums.debited ELSE -sums.debited END
        LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'the postings of account % do not fit it', wrong.account_id
            USING ERRCODE = 'foreign_key_violation', TABLE = 'posting', CONSTRAINT = 'posting_fits_account_and_entry';
    END IF;
    RETURN NULL;
END
$$;

CREATE FUNCTION public.judge_purchases() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
DECLARE
    wrong record;
BEGIN
    SELECT purchase.id INTO wrong
        FROM new_purchase AS purchase
        LEFT JOIN journal_entry AS entry ON entry.id = purchase.journal_entry_id
        WHERE entry.id IS NULL OR entry.stripe <> purchase.stripe
        LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'purchase % does not fit its journal entry', wrong.id
            USING ERRCODE = 'foreign_key_violation', TABLE = 'purchase', CONSTRAINT = 'purchase_has_entry';
    END IF;
    RETURN NULL;
END
$$;

CREATE FUNCTION public.keep_settled_row() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
BEGIN
    RAISE EXCEPTION 'settlement row % is settled and stays as it is', OLD.id
        USING ERRCODE = 'insufficient_privilege', HINT = 'A row of opposite amounts takes it back.';
END
$$;

CREATE FUNCTION public.posting_seq_as_of(of_account bigint, moment timestamp with time zone) RETURNS bigint
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
DECLARE
    low    bigint := 0;
    high   bigint := (SELECT seq FROM account WHERE id = of_account);
    middle bigint;
BEGIN
    WHILE low < high LOOP
        middle := (low + high + 1) / 2;
        IF (SELECT entry.recorded_at <= moment
            FROM posting JOIN journal_entry AS entry ON entry.id = posting.journal_entry_id
            WHERE posting.account_id = of_account AND posting.seq = middle) THEN
            low := middle;
        ELSE
            high := middle - 1;
        END IF;
    END LOOP;
    RETURN low;
END
$$;

CREATE FUNCTION public.purge_receipt_refusals(most bigint) RETURNS bigint
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    WITH gone AS (
        DELETE FROM public.receipt_refusal
        WHERE user_id IN (
            SELECT user_id FROM public.receipt_refusal WHERE window_ends_at < now()
            ORDER BY window_ends_at LIMIT least(most, 10000) FOR UPDATE SKIP LOCKED)
        RETURNING 1
    )
    SELECT count(*) FROM gone
$$;

CREATE FUNCTION public.purge_webhook_events(older_than interval, most bigint) RETURNS bigint
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    WITH gone AS (
        DELETE FROM public.webhook_event
        WHERE id IN (
            SELECT id FROM public.webhook_event
            WHERE status <> 'waiting' AND decided_at < now() - greatest(older_than, interval '1 day')
            ORDER BY decided_at LIMIT least(most, 10000) FOR UPDATE SKIP LOCKED)
        RETURNING 1
    )
    SELECT count(*) FROM gone
$$;

CREATE FUNCTION public.refuse_change() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
BEGIN
    RAISE EXCEPTION '% of % is forbidden: the journal is append-only', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'insufficient_privilege', HINT = 'Post a reversal instead.';
END
$$;

CREATE TABLE public.account (
    id bigint NOT NULL,
    stripe bigint NOT NULL,
    code text NOT NULL,
    owner text,
    currency text NOT NULL,
    normal_side text NOT NULL,
    debits bigint DEFAULT 0 NOT NULL,
    credits bigint DEFAULT 0 NOT NULL,
    seq bigint DEFAULT 0 NOT NULL,
    posted_at timestamp with time zone,
    balance bigint GENERATED ALWAYS AS (
CASE normal_side
    WHEN 'D'::text THEN (debits - credits)
    ELSE (credits - debits)
END) STORED NOT NULL,
    CONSTRAINT account_credits_not_negative CHECK ((credits >= 0)),
    CONSTRAINT account_currency_is_code CHECK ((currency ~ '^[A-Z]{3,4}$'::text)),
    CONSTRAINT account_debits_not_negative CHECK ((debits >= 0)),
    CONSTRAINT account_normal_side_is_d_or_c CHECK ((normal_side = ANY (ARRAY['D'::text, 'C'::text]))),
    CONSTRAINT account_owned_not_overdrawn CHECK (((owner IS NULL) OR
CASE normal_side
    WHEN 'D'::text THEN (debits >= credits)
    ELSE (credits >= debits)
END))
)
WITH (fillfactor='60', autovacuum_vacuum_scale_factor='0.02');

CREATE TABLE public.chain_link (
    id bigint NOT NULL,
    first_position bigint NOT NULL,
    last_position bigint NOT NULL,
    transaction_id xid8 NOT NULL,
    entry_id bigint NOT NULL,
    previous_hash bytea NOT NULL,
    hash bytea NOT NULL,
    totals jsonb NOT NULL,
    linked_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT chain_link_has_entries CHECK (((first_position >= 1) AND (first_position <= last_position))),
    CONSTRAINT chain_link_hash_is_sha256 CHECK ((octet_length(hash) = 32)),
    CONSTRAINT chain_link_id_positive CHECK ((id > 0)),
    CONSTRAINT chain_link_previous_hash_is_sha256 CHECK ((octet_length(previous_hash) = 32))
);

CREATE TABLE public.closed_period (
    id bigint NOT NULL,
    until timestamp with time zone NOT NULL,
    closed_by text NOT NULL,
    closed_at timestamp with time zone NOT NULL,
    CONSTRAINT closed_period_is_over CHECK ((until <= closed_at))
);

ALTER TABLE public.closed_period ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.closed_period_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.finding (
    id bigint NOT NULL,
    gateway text NOT NULL,
    imp_uid text NOT NULL,
    merchant_uid text NOT NULL,
    payment_id text,
    user_id text,
    amount bigint NOT NULL,
    currency text NOT NULL,
    found_at timestamp with time zone DEFAULT now() NOT NULL,
    resolved_at timestamp with time zone,
    kinds text[] NOT NULL,
    paid_at timestamp with time zone,
    CONSTRAINT finding_has_kind CHECK ((cardinality(kinds) > 0))
);

ALTER TABLE public.finding ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.finding_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.grant_counted (
    caller text NOT NULL,
    key text NOT NULL,
    day date NOT NULL,
    coins bigint NOT NULL,
    CONSTRAINT grant_counted_coins_positive CHECK ((coins > 0))
);

CREATE TABLE public.grant_day (
    caller text NOT NULL,
    day date NOT NULL,
    coins bigint NOT NULL,
    CONSTRAINT grant_day_coins_positive CHECK ((coins > 0))
);

CREATE TABLE public.hold (
    id bigint NOT NULL,
    stripe bigint NOT NULL,
    user_id text NOT NULL,
    status text NOT NULL,
    coins bigint NOT NULL,
    captured bigint NOT NULL,
    released bigint NOT NULL,
    reference text,
    placed_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    closed_at timestamp with time zone,
    journal_entry_id bigint NOT NULL,
    CONSTRAINT hold_captured_not_negative CHECK ((captured >= 0)),
    CONSTRAINT hold_closed_has_time CHECK (((status = 'open'::text) = (closed_at IS NULL))),
    CONSTRAINT hold_coins_positive CHECK ((coins > 0)),
    CONSTRAINT hold_left_within_coins CHECK (((captured + released) <= coins)),
    CONSTRAINT hold_open_while_coins_are_left CHECK (((status = 'open'::text) = ((captured + released) < coins))),
    CONSTRAINT hold_released_not_negative CHECK ((released >= 0)),
    CONSTRAINT hold_status_known CHECK ((status = ANY (ARRAY['open'::text, 'captured'::text, 'voided'::text, 'expired'::text])))
)
WITH (fillfactor='80');

CREATE TABLE public.hold_lot (
    hold_id bigint NOT NULL,
    place bigint NOT NULL,
    lot_id bigint NOT NULL,
    coins bigint NOT NULL,
    held bigint NOT NULL,
    CONSTRAINT hold_lot_coins_positive CHECK ((coins > 0)),
    CONSTRAINT hold_lot_held_within_coins CHECK (((held >= 0) AND (held <= coins)))
)
WITH (fillfactor='80');

CREATE TABLE public.idempotency (
    key text NOT NULL,
    command text NOT NULL,
    fingerprint text NOT NULL,
    outcome jsonb NOT NULL,
    journal_entry_id bigint,
    recorded_at timestamp with time zone NOT NULL,
    caller text NOT NULL
);

CREATE TABLE public.journal_entry (
    id bigint NOT NULL,
    stripe bigint NOT NULL,
    kind text NOT NULL,
    reference text NOT NULL,
    effective_at timestamp with time zone NOT NULL,
    recorded_at timestamp with time zone NOT NULL,
    reason text,
    reverses bigint,
    late_for timestamp with time zone,
    transaction_id xid8 DEFAULT pg_current_xact_id() NOT NULL,
    CONSTRAINT journal_entry_late_for_is_earlier CHECK ((late_for < effective_at))
);

CREATE TABLE public.ledger (
    is_only boolean DEFAULT true NOT NULL,
    stripes bigint NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT ledger_is_one_row CHECK (is_only),
    CONSTRAINT ledger_stripes_in_range CHECK (((stripes >= 1) AND (stripes <= 64)))
);

CREATE TABLE public.lot (
    id bigint NOT NULL,
    stripe bigint NOT NULL,
    user_id text NOT NULL,
    kind text NOT NULL,
    coins bigint NOT NULL,
    remaining bigint NOT NULL,
    amount bigint NOT NULL,
    deferred bigint NOT NULL,
    currency text NOT NULL,
    acquired_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone,
    purchase_id bigint,
    journal_entry_id bigint NOT NULL,
    held bigint DEFAULT 0 NOT NULL,
    seq bigint DEFAULT 0 NOT NULL,
    issuer text,
    expired bigint DEFAULT 0 NOT NULL,
    breakage bigint DEFAULT 0 NOT NULL,
    returned_at timestamp with time zone,
    CONSTRAINT lot_amount_by_kind CHECK (
CASE kind
    WHEN 'paid'::text THEN (amount > 0)
    ELSE (amount = 0)
END),
    CONSTRAINT lot_breakage_not_negative CHECK ((breakage >= 0)),
    CONSTRAINT lot_coins_positive CHECK ((coins > 0)),
    CONSTRAINT lot_deferred_within_amount CHECK (((deferred >= 0) AND (deferred <= amount))),
    CONSTRAINT lot_expired_not_negative CHECK ((expired >= 0)),
    CONSTRAINT lot_held_not_negative CHECK ((held >= 0)),
    CONSTRAINT lot_kind_known CHECK ((kind = ANY (ARRAY['paid'::text, 'bonus'::text]))),
    CONSTRAINT lot_left_within_coins CHECK (((remaining + held) <= coins)),
    CONSTRAINT lot_remaining_not_negative CHECK ((remaining >= 0)),
    CONSTRAINT lot_spent_is_recognised CHECK ((((remaining + held) > 0) OR (deferred = 0)))
)
WITH (fillfactor='80');

CREATE TABLE public.lot_movement (
    lot_id bigint NOT NULL,
    seq bigint NOT NULL,
    stripe bigint NOT NULL,
    journal_entry_id bigint NOT NULL,
    remaining bigint NOT NULL,
    held bigint NOT NULL,
    deferred bigint NOT NULL,
    recorded_at timestamp with time zone NOT NULL,
    CONSTRAINT lot_movement_seq_positive CHECK ((seq > 0))
);

CREATE TABLE public.migration (
    version bigint NOT NULL,
    name text NOT NULL,
    checksum text NOT NULL,
    applied_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public."order" (
    id bigint NOT NULL,
    merchant_uid text NOT NULL,
    user_id text NOT NULL,
    gateway text NOT NULL,
    product text NOT NULL,
    amount bigint NOT NULL,
    currency text NOT NULL,
    coins bigint NOT NULL,
    bonus_coins bigint NOT NULL,
    idempotency_key text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT order_amount_positive CHECK ((amount > 0)),
    CONSTRAINT order_bonus_coins_not_negative CHECK ((bonus_coins >= 0)),
    CONSTRAINT order_coins_positive CHECK ((coins > 0)),
    CONSTRAINT order_currency_is_krw CHECK ((currency = 'KRW'::text)),
    CONSTRAINT order_expires_after_creation CHECK ((expires_at > created_at))
);

ALTER TABLE public."order" ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.order_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.posting (
    account_id bigint NOT NULL,
    seq bigint NOT NULL,
    journal_entry_id bigint NOT NULL,
    stripe bigint NOT NULL,
    amount bigint NOT NULL,
    balance bigint NOT NULL,
    currency text NOT NULL,
    side text NOT NULL,
    CONSTRAINT posting_amount_positive CHECK ((amount > 0)),
    CONSTRAINT posting_seq_positive CHECK ((seq > 0)),
    CONSTRAINT posting_side_is_d_or_c CHECK ((side = ANY (ARRAY['D'::text, 'C'::text])))
);

CREATE TABLE public.product (
    id bigint NOT NULL,
    code text NOT NULL,
    title text NOT NULL,
    price bigint NOT NULL,
    currency text NOT NULL,
    coins bigint NOT NULL,
    bonus_coins bigint NOT NULL,
    active_from timestamp with time zone DEFAULT now() NOT NULL,
    active_until timestamp with time zone,
    CONSTRAINT product_active_in_order CHECK ((active_until >= active_from)),
    CONSTRAINT product_bonus_coins_not_negative CHECK ((bonus_coins >= 0)),
    CONSTRAINT product_code_is_plain CHECK ((code ~ '^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$'::text)),
    CONSTRAINT product_coins_positive CHECK ((coins > 0)),
    CONSTRAINT product_currency_is_krw CHECK ((currency = 'KRW'::text)),
    CONSTRAINT product_price_positive CHECK ((price > 0)),
    CONSTRAINT product_title_in_range CHECK (((char_length(title) >= 1) AND (char_length(title) <= 40)))
);

ALTER TABLE public.product ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.product_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.purchase (
    id bigint NOT NULL,
    stripe bigint NOT NULL,
    user_id text NOT NULL,
    status text NOT NULL,
    gateway text NOT NULL,
    imp_uid text NOT NULL,
    merchant_uid text NOT NULL,
    payment_id text,
    product text NOT NULL,
    amount bigint NOT NULL,
    currency text NOT NULL,
    coins bigint NOT NULL,
    bonus_coins bigint NOT NULL,
    refunded_amount bigint DEFAULT 0 NOT NULL,
    paid_at timestamp with time zone NOT NULL,
    credited_at timestamp with time zone NOT NULL,
    journal_entry_id bigint NOT NULL,
    refunded_coins bigint DEFAULT 0 NOT NULL,
    refunded_bonus_coins bigint DEFAULT 0 NOT NULL,
    settled_amount bigint DEFAULT 0 NOT NULL,
    charged_coins bigint DEFAULT 0 NOT NULL,
    CONSTRAINT purchase_amount_positive CHECK ((amount > 0)),
    CONSTRAINT purchase_bonus_coins_not_negative CHECK ((bonus_coins >= 0)),
    CONSTRAINT purchase_charged_coins_within_coins CHECK (((charged_coins >= 0) AND (charged_coins <= coins))),
    CONSTRAINT purchase_coins_positive CHECK ((coins > 0)),
    CONSTRAINT purchase_refunded_bonus_coins_within_bonus_coins CHECK (((refunded_bonus_coins >= 0) AND (refunded_bonus_coins <= bonus_coins))),
    CONSTRAINT purchase_refunded_coins_within_coins CHECK (((refunded_coins >= 0) AND (refunded_coins <= coins))),
    CONSTRAINT purchase_refunded_within_amount CHECK (((refunded_amount >= 0) AND (refunded_amount <= amount))),
    CONSTRAINT purchase_status_known CHECK ((status = ANY (ARRAY['credited'::text, 'partially_refunded'::text, 'refunded'::text])))
)
WITH (fillfactor='90');

CREATE TABLE public.receipt_refusal (
    user_id text NOT NULL,
    window_ends_at timestamp with time zone NOT NULL,
    refused bigint NOT NULL,
    CONSTRAINT receipt_refusal_refused_positive CHECK ((refused > 0))
);

CREATE TABLE public.receipt_retry (
    id bigint NOT NULL,
    user_id text NOT NULL,
    gateway text NOT NULL,
    imp_uid text NOT NULL,
    merchant_uid text NOT NULL,
    payment_id text,
    status text NOT NULL,
    reason text NOT NULL,
    attempts bigint DEFAULT 0 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    next_attempt_at timestamp with time zone NOT NULL,
    decided_at timestamp with time zone,
    claimed_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT receipt_retry_decided_has_time CHECK (((status = 'waiting'::text) = (decided_at IS NULL))),
    CONSTRAINT receipt_retry_status_known CHECK ((status = ANY (ARRAY['waiting'::text, 'credited'::text, 'refused'::text, 'abandoned'::text])))
);

ALTER TABLE public.receipt_retry ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.receipt_retry_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.reconciliation_item (
    id bigint NOT NULL,
    run_id bigint NOT NULL,
    kind text,
    outcome text,
    gateway text NOT NULL,
    imp_uid text NOT NULL,
    merchant_uid text NOT NULL,
    payment_id text,
    paid_status text,
    paid_amount bigint,
    cancelled_amount bigint,
    paid_currency text,
    paid_at timestamp with time zone,
    purchase_id bigint,
    credited_amount bigint,
    refunded_amount bigint,
    credited_currency text,
    pending_refund_amount bigint,
    CONSTRAINT reconciliation_item_kind_known CHECK ((kind = ANY (ARRAY['matched'::text, 'paid_not_credited'::text, 'credited_not_paid'::text, 'amount_differs'::text, 'cancelled_not_clawed_back'::text, 'refunded_not_cancelled'::text, 'waiting'::text, 'unreadable'::text]))),
    CONSTRAINT reconciliation_item_outcome_known CHECK ((outcome = ANY (ARRAY['credited'::text, 'clawed_back'::text, 'receipt_waits'::text, 'needs_person'::text]))),
    CONSTRAINT reconciliation_item_outcome_of_difference CHECK (((outcome IS NULL) OR (kind <> ALL (ARRAY['matched'::text, 'waiting'::text]))))
);

ALTER TABLE public.reconciliation_item ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.reconciliation_item_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.reconciliation_run (
    id bigint NOT NULL,
    period_from timestamp with time zone NOT NULL,
    period_to timestamp with time zone NOT NULL,
    heals boolean NOT NULL,
    gateways text[] NOT NULL,
    day date,
    requested_by text,
    idempotency_key text,
    status text NOT NULL,
    stage text NOT NULL,
    place text,
    failures bigint DEFAULT 0 NOT NULL,
    failure text,
    counts jsonb,
    lease text,
    leased_until timestamp with time zone DEFAULT now() NOT NULL,
    started_at timestamp with time zone DEFAULT now() NOT NULL,
    ended_at timestamp with time zone,
    CONSTRAINT reconciliation_run_completed_has_counts CHECK (((status <> 'completed'::text) OR (counts IS NOT NULL))),
    CONSTRAINT reconciliation_run_ended_has_time CHECK (((status = 'running'::text) = (ended_at IS NULL))),
    CONSTRAINT reconciliation_run_period_in_order CHECK ((period_from < period_to)),
    CONSTRAINT reconciliation_run_status_known CHECK ((status = ANY (ARRAY['running'::text, 'completed'::text, 'failed'::text])))
);

ALTER TABLE public.reconciliation_run ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.reconciliation_run_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE SEQUENCE public.record_id
    START WITH 1
    INCREMENT BY 4096
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

CREATE TABLE public.refund (
    id bigint NOT NULL,
    stripe bigint NOT NULL,
    purchase_id bigint NOT NULL,
    user_id text NOT NULL,
    status text NOT NULL,
    coins bigint NOT NULL,
    bonus_coins bigint NOT NULL,
    value bigint NOT NULL,
    fee bigint NOT NULL,
    amount bigint NOT NULL,
    currency text NOT NULL,
    explanation text NOT NULL,
    refund_account jsonb,
    believed_balance bigint NOT NULL,
    refusal text,
    refusal_code text,
    cancellation_id text,
    journal_entry_id bigint NOT NULL,
    reversal_entry_id bigint,
    reason text NOT NULL,
    attempts bigint DEFAULT 0 NOT NULL,
    requested_at timestamp with time zone NOT NULL,
    next_attempt_at timestamp with time zone NOT NULL,
    decided_at timestamp with time zone,
    bonus_charged bigint DEFAULT 0 NOT NULL,
    CONSTRAINT refund_account_is_erased CHECK (((status = 'pending'::text) OR (refund_account IS NULL))),
    CONSTRAINT refund_amount_is_value_less_fee CHECK ((amount = (value - fee))),
    CONSTRAINT refund_amount_positive CHECK ((amount > 0)),
    CONSTRAINT refund_amount_within_balance CHECK ((amount <= believed_balance)),
    CONSTRAINT refund_bonus_charged_within_coins CHECK (((bonus_charged >= 0) AND (bonus_charged < coins))),
    CONSTRAINT refund_bonus_coins_not_negative CHECK ((bonus_coins >= 0)),
    CONSTRAINT refund_coins_positive CHECK ((coins > 0)),
    CONSTRAINT refund_completed_has_reversal CHECK (((status = 'completed'::text) = (reversal_entry_id IS NOT NULL))),
    CONSTRAINT refund_decided_has_time CHECK (((status = 'pending'::text) = (decided_at IS NULL))),
    CONSTRAINT refund_fee_not_negative CHECK ((fee >= 0)),
    CONSTRAINT refund_refused_has_refusal CHECK (((status = 'refused'::text) = (refusal IS NOT NULL))),
    CONSTRAINT refund_status_known CHECK ((status = ANY (ARRAY['pending'::text, 'completed'::text, 'refused'::text])))
)
WITH (fillfactor='80');

CREATE TABLE public.seal (
    id bigint NOT NULL,
    statement text NOT NULL,
    public_key bytea NOT NULL,
    signature bytea NOT NULL,
    sealed_at timestamp with time zone NOT NULL,
    CONSTRAINT seal_public_key_is_ed25519 CHECK ((octet_length(public_key) = 32)),
    CONSTRAINT seal_signature_is_ed25519 CHECK ((octet_length(signature) = 64))
);

ALTER TABLE public.seal ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.seal_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.settlement_file (
    id bigint NOT NULL,
    sha256 bytea NOT NULL,
    name text NOT NULL,
    imported_by text NOT NULL,
    imported_at timestamp with time zone DEFAULT now() NOT NULL
);

ALTER TABLE public.settlement_file ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.settlement_file_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.settlement_row (
    id bigint NOT NULL,
    file_id bigint NOT NULL,
    line bigint NOT NULL,
    payment text NOT NULL,
    gross bigint NOT NULL,
    fee bigint NOT NULL,
    tax bigint NOT NULL,
    net bigint NOT NULL,
    paid_out_on date NOT NULL,
    paid_out_at timestamp with time zone NOT NULL,
    place bigint NOT NULL,
    status text NOT NULL,
    reason text,
    purchase_id bigint,
    journal_entry_id bigint,
    settled_at timestamp with time zone,
    CONSTRAINT settlement_row_adds_up CHECK ((net = ((gross - fee) - tax))),
    CONSTRAINT settlement_row_refused_has_reason CHECK (((status = 'refused'::text) = (reason IS NOT NULL))),
    CONSTRAINT settlement_row_settled_has_entry CHECK (
CASE
    WHEN (status = 'settled'::text) THEN (num_nulls(purchase_id, journal_entry_id, settled_at) = 0)
    ELSE (num_nonnulls(journal_entry_id, settled_at) = 0)
END),
    CONSTRAINT settlement_row_status_known CHECK ((status = ANY (ARRAY['waiting'::text, 'settled'::text, 'unmatched'::text, 'refused'::text])))
);

ALTER TABLE public.settlement_row ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.settlement_row_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.webhook_event (
    id bigint NOT NULL,
    gateway text NOT NULL,
    event_id text,
    type text NOT NULL,
    imp_uid text,
    merchant_uid text,
    payment_id text,
    status text NOT NULL,
    reason text NOT NULL,
    attempts bigint DEFAULT 0 NOT NULL,
    received_at timestamp with time zone DEFAULT now() NOT NULL,
    next_attempt_at timestamp with time zone DEFAULT now() NOT NULL,
    decided_at timestamp with time zone,
    source text,
    urgency smallint DEFAULT 0 NOT NULL,
    repeats bigint DEFAULT 0 NOT NULL,
    CONSTRAINT webhook_event_decided_has_time CHECK (((status = 'waiting'::text) = (decided_at IS NULL))),
    CONSTRAINT webhook_event_status_known CHECK ((status = ANY (ARRAY['waiting'::text, 'done'::text, 'ignored'::text, 'abandoned'::text])))
);

ALTER TABLE public.webhook_event ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.webhook_event_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

ALTER TABLE ONLY public.account
    ADD CONSTRAINT account_code_unique UNIQUE (code);

ALTER TABLE ONLY public.account
    ADD CONSTRAINT account_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.chain_link
    ADD CONSTRAINT chain_link_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.closed_period
    ADD CONSTRAINT closed_period_once UNIQUE (until);

ALTER TABLE ONLY public.closed_period
    ADD CONSTRAINT closed_period_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.finding
    ADD CONSTRAINT finding_once UNIQUE (imp_uid, gateway);

ALTER TABLE ONLY public.finding
    ADD CONSTRAINT finding_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.grant_counted
    ADD CONSTRAINT grant_counted_pkey PRIMARY KEY (caller, key);

ALTER TABLE ONLY public.grant_day
    ADD CONSTRAINT grant_day_pkey PRIMARY KEY (caller, day);

ALTER TABLE ONLY public.hold_lot
    ADD CONSTRAINT hold_lot_pkey PRIMARY KEY (hold_id, place);

ALTER TABLE ONLY public.hold
    ADD CONSTRAINT hold_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.idempotency
    ADD CONSTRAINT idempotency_pkey PRIMARY KEY (key, caller);

ALTER TABLE ONLY public.journal_entry
    ADD CONSTRAINT journal_entry_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.ledger
    ADD CONSTRAINT ledger_pkey PRIMARY KEY (is_only);

ALTER TABLE ONLY public.lot_movement
    ADD CONSTRAINT lot_movement_pkey PRIMARY KEY (lot_id, seq);

ALTER TABLE ONLY public.lot
    ADD CONSTRAINT lot_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.migration
    ADD CONSTRAINT migration_pkey PRIMARY KEY (version);

ALTER TABLE ONLY public."order"
    ADD CONSTRAINT order_idempotency_key_unique UNIQUE (idempotency_key, user_id);

ALTER TABLE ONLY public."order"
    ADD CONSTRAINT order_merchant_uid_unique UNIQUE (merchant_uid);

ALTER TABLE ONLY public."order"
    ADD CONSTRAINT order_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.posting
    ADD CONSTRAINT posting_pkey PRIMARY KEY (account_id, seq);

ALTER TABLE ONLY public.product
    ADD CONSTRAINT product_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.purchase
    ADD CONSTRAINT purchase_imp_uid_unique UNIQUE (imp_uid, gateway);

ALTER TABLE ONLY public.purchase
    ADD CONSTRAINT purchase_merchant_uid_unique UNIQUE (merchant_uid);

ALTER TABLE ONLY public.purchase
    ADD CONSTRAINT purchase_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.receipt_refusal
    ADD CONSTRAINT receipt_refusal_pkey PRIMARY KEY (user_id);

ALTER TABLE ONLY public.receipt_retry
    ADD CONSTRAINT receipt_retry_once_a_user UNIQUE (gateway, imp_uid, merchant_uid, user_id);

ALTER TABLE ONLY public.receipt_retry
    ADD CONSTRAINT receipt_retry_pkey PRIMARY KEY (id);

ALTER TABLE public.reconciliation_item
    ADD CONSTRAINT reconciliation_item_matched_has_payment CHECK (((kind <> 'matched'::text) OR (paid_status IS NOT NULL))) NOT VALID;

ALTER TABLE ONLY public.reconciliation_item
    ADD CONSTRAINT reconciliation_item_once UNIQUE (run_id, imp_uid, gateway);

ALTER TABLE ONLY public.reconciliation_item
    ADD CONSTRAINT reconciliation_item_pkey PRIMARY KEY (run_id, id);

ALTER TABLE ONLY public.reconciliation_run
    ADD CONSTRAINT reconciliation_run_asked_once UNIQUE (idempotency_key, requested_by);

ALTER TABLE ONLY public.reconciliation_run
    ADD CONSTRAINT reconciliation_run_once_a_day UNIQUE (day);

ALTER TABLE ONLY public.reconciliation_run
    ADD CONSTRAINT reconciliation_run_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.refund
    ADD CONSTRAINT refund_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.seal
    ADD CONSTRAINT seal_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.settlement_file
    ADD CONSTRAINT settlement_file_once UNIQUE (sha256);

ALTER TABLE ONLY public.settlement_file
    ADD CONSTRAINT settlement_file_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.settlement_row
    ADD CONSTRAINT settlement_row_of_file UNIQUE (file_id, line);

ALTER TABLE ONLY public.settlement_row
    ADD CONSTRAINT settlement_row_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.webhook_event
    ADD CONSTRAINT webhook_event_once UNIQUE (event_id, gateway);

ALTER TABLE ONLY public.webhook_event
    ADD CONSTRAINT webhook_event_pkey PRIMARY KEY (id);

CREATE INDEX finding_by_order ON public.finding USING btree (merchant_uid);

CREATE INDEX finding_open ON public.finding USING btree (id) WHERE (resolved_at IS NULL);

CREATE INDEX hold_by_user ON public.hold USING btree (user_id, id DESC);

CREATE INDEX hold_due ON public.hold USING btree (expires_at, id) WHERE (status = 'open'::text);

CREATE INDEX journal_entry_by_effective_at ON public.journal_entry USING brin (effective_at) WITH (autosummarize='on');

CREATE INDEX journal_entry_in_order ON public.journal_entry USING btree (transaction_id, id);

CREATE INDEX journal_entry_reversing_purchase ON public.journal_entry USING btree (reverses) WHERE (kind = ANY (ARRAY['refund'::text, 'claw_back'::text]));

CREATE INDEX lot_expired_by_purchase ON public.lot USING btree (purchase_id) WHERE (expired > 0);

CREATE INDEX lot_expiring ON public.lot USING btree (expires_at, id) WHERE ((remaining > 0) AND (expires_at IS NOT NULL));

CREATE INDEX lot_open_by_user ON public.lot USING btree (user_id) WHERE ((remaining + held) > 0);

CREATE INDEX order_by_user ON public."order" USING btree (user_id, id DESC);

CREATE INDEX posting_by_journal_entry ON public.posting USING brin (journal_entry_id) WITH (pages_per_range='16', autosummarize='on');

CREATE UNIQUE INDEX product_active_code_unique ON public.product USING btree (code) WHERE (active_until IS NULL);

CREATE UNIQUE INDEX product_active_price_unique ON public.product USING btree (currency, price) WHERE (active_until IS NULL);

CREATE INDEX purchase_by_paid_at ON public.purchase USING brin (paid_at) WITH (pages_per_range='32', autosummarize='on');

CREATE INDEX purchase_by_user ON public.purchase USING btree (user_id, credited_at DESC, id DESC);

CREATE INDEX purchase_outstanding ON public.purchase USING btree (id) WHERE ((amount - refunded_amount) <> settled_amount);

CREATE INDEX receipt_refusal_ended ON public.receipt_refusal USING btree (window_ends_at);

CREATE INDEX receipt_retry_due ON public.receipt_retry USING btree (next_attempt_at) WHERE (status = 'waiting'::text);

CREATE INDEX receipt_retry_waiting_by_user ON public.receipt_retry USING btree (user_id) WHERE (status = 'waiting'::text);

CREATE INDEX reconciliation_item_unmatched ON public.reconciliation_item USING btree (run_id, id) WHERE ((kind IS NULL) OR (kind <> 'matched'::text));

CREATE INDEX reconciliation_run_due ON public.reconciliation_run USING btree (leased_until) WHERE (status = 'running'::text);

CREATE INDEX refund_by_purchase ON public.refund USING btree (purchase_id, id);

CREATE INDEX refund_due ON public.refund USING btree (next_attempt_at) WHERE (status = 'pending'::text);

CREATE UNIQUE INDEX refund_one_pending ON public.refund USING btree (purchase_id) WHERE (status = 'pending'::text);

CREATE UNIQUE INDEX settlement_row_settled_once ON public.settlement_row USING btree (purchase_id, paid_out_on, ((gross < 0)), place) WHERE (status = 'settled'::text);

CREATE INDEX webhook_event_decided ON public.webhook_event USING btree (decided_at) WHERE (status <> 'waiting'::text);

CREATE INDEX webhook_event_due ON public.webhook_event USING btree (urgency DESC, next_attempt_at) WHERE (status = 'waiting'::text);

CREATE INDEX webhook_event_waiting_by_order ON public.webhook_event USING btree (merchant_uid) WHERE ((status = 'waiting'::text) AND (event_id IS NULL));

CREATE INDEX webhook_event_waiting_by_source ON public.webhook_event USING btree (source, id) WHERE ((status = 'waiting'::text) AND (event_id IS NULL) AND (urgency < 2));

CREATE UNIQUE INDEX webhook_event_waits_once ON public.webhook_event USING btree (imp_uid, gateway) WHERE ((status = 'waiting'::text) AND (event_id IS NULL));

CREATE TRIGGER account_is_kept BEFORE DELETE OR TRUNCATE ON public.account FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER chain_link_is_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON public.chain_link FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER chain_link_is_judged AFTER INSERT ON public.chain_link REFERENCING NEW TABLE AS new_chain_link FOR EACH STATEMENT EXECUTE FUNCTION public.judge_chain_links();

CREATE TRIGGER closed_period_is_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON public.closed_period FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER closed_period_is_judged BEFORE INSERT ON public.closed_period FOR EACH ROW EXECUTE FUNCTION public.judge_closing();

CREATE TRIGGER hold_is_kept BEFORE DELETE OR TRUNCATE ON public.hold FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER hold_lot_is_kept BEFORE DELETE OR TRUNCATE ON public.hold_lot FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER journal_entry_is_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON public.journal_entry FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER journal_entry_is_judged AFTER INSERT ON public.journal_entry REFERENCING NEW TABLE AS new_entry FOR EACH STATEMENT EXECUTE FUNCTION public.judge_entries();

CREATE TRIGGER lot_is_judged AFTER INSERT ON public.lot REFERENCING NEW TABLE AS new_lot FOR EACH STATEMENT EXECUTE FUNCTION public.judge_lots();

CREATE TRIGGER lot_is_kept BEFORE DELETE OR TRUNCATE ON public.lot FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER lot_movement_is_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON public.lot_movement FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER lot_movement_is_judged AFTER INSERT ON public.lot_movement REFERENCING NEW TABLE AS new_lot_movement FOR EACH STATEMENT EXECUTE FUNCTION public.judge_lot_movements();

CREATE TRIGGER posting_is_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON public.posting FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER posting_is_judged AFTER INSERT ON public.posting REFERENCING NEW TABLE AS new_posting FOR EACH STATEMENT EXECUTE FUNCTION public.judge_postings();

CREATE TRIGGER purchase_is_judged AFTER INSERT ON public.purchase REFERENCING NEW TABLE AS new_purchase FOR EACH STATEMENT EXECUTE FUNCTION public.judge_purchases();

CREATE TRIGGER purchase_is_kept BEFORE DELETE OR TRUNCATE ON public.purchase FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER refund_is_kept BEFORE DELETE OR TRUNCATE ON public.refund FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER seal_is_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON public.seal FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER settlement_row_is_kept BEFORE DELETE OR TRUNCATE ON public.settlement_row FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER settlement_row_settled_is_immutable BEFORE UPDATE ON public.settlement_row FOR EACH ROW WHEN ((old.status = 'settled'::text)) EXECUTE FUNCTION public.keep_settled_row();

ALTER TABLE ONLY public.journal_entry
    ADD CONSTRAINT journal_entry_reverses_an_entry FOREIGN KEY (reverses) REFERENCES public.journal_entry(id);

ALTER TABLE ONLY public.settlement_row
    ADD CONSTRAINT settlement_row_has_file FOREIGN KEY (file_id) REFERENCES public.settlement_file(id);

GRANT USAGE ON SCHEMA public TO ledgerd_service;

REVOKE ALL ON FUNCTION public.purge_receipt_refusals(most bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION public.purge_receipt_refusals(most bigint) TO ledgerd_service;

REVOKE ALL ON FUNCTION public.purge_webhook_events(older_than interval, most bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION public.purge_webhook_events(older_than interval, most bigint) TO ledgerd_service;

GRANT SELECT,INSERT ON TABLE public.account TO ledgerd_service;

GRANT UPDATE(debits) ON TABLE public.account TO ledgerd_service;

GRANT UPDATE(credits) ON TABLE public.account TO ledgerd_service;

GRANT UPDATE(seq) ON TABLE public.account TO ledgerd_service;

GRANT UPDATE(posted_at) ON TABLE public.account TO ledgerd_service;

GRANT SELECT,INSERT ON TABLE public.chain_link TO ledgerd_service;

GRANT SELECT ON TABLE public.closed_period TO ledgerd_service;

GRANT INSERT(until) ON TABLE public.closed_period TO ledgerd_service;

GRANT INSERT(closed_by) ON TABLE public.closed_period TO ledgerd_service;

GRANT SELECT,INSERT ON TABLE public.finding TO ledgerd_service;

GRANT UPDATE(user_id) ON TABLE public.finding TO ledgerd_service;

GRANT UPDATE(amount) ON TABLE public.finding TO ledgerd_service;

GRANT UPDATE(resolved_at) ON TABLE public.finding TO ledgerd_service;

GRANT UPDATE(kinds) ON TABLE public.finding TO ledgerd_service;

GRANT UPDATE(paid_at) ON TABLE public.finding TO ledgerd_service;

GRANT SELECT,INSERT ON TABLE public.grant_counted TO ledgerd_service;

GRANT SELECT,INSERT ON TABLE public.grant_day TO ledgerd_service;

GRANT UPDATE(coins) ON TABLE public.grant_day TO ledgerd_service;

GRANT SELECT,INSERT ON TABLE public.hold TO ledgerd_service;

GRANT UPDATE(status) ON TABLE public.hold TO ledgerd_service;

GRANT UPDATE(captured) ON TABLE public.hold TO ledgerd_service;

GRANT UPDATE(released) ON TABLE public.hold TO ledgerd_service;

GRANT UPDATE(closed_at) ON TABLE public.hold TO ledgerd_service;

GRANT SELECT,INSERT ON TABLE public.hold_lot TO ledgerd_service;

GRANT UPDATE(held) ON TABLE public.hold_lot TO ledgerd_service;

GRANT SELECT,INSERT ON TABLE public.idempotency TO ledgerd_service;

GRANT SELECT ON TABLE public.journal_entry TO ledgerd_service;

GRANT INSERT(id) ON TABLE public.journal_entry TO ledgerd_service;

GRANT INSERT(stripe) ON TABLE public.journal_entry TO ledgerd_service;

GRANT INSERT(kind) ON TABLE public.journal_entry TO ledgerd_service;

GRANT INSERT(reference) ON TABLE public.journal_entry TO ledgerd_service;

GRANT INSERT(effective_at) ON TABLE public.journal_entry TO ledgerd_service;

GRANT INSERT(recorded_at) ON TABLE public.journal_entry TO ledgerd_service;

GRANT INSERT(reason) ON TABLE public.journal_entry TO ledgerd_service;

GRANT INSERT(reverses) ON TABLE public.journal_entry TO ledgerd_service;

GRANT INSERT(late_for) ON TABLE public.journal_entry TO ledgerd_service;

GRANT SELECT ON TABLE public.ledger TO ledgerd_service;

GRANT SELECT,INSERT ON TABLE public.lot TO ledgerd_service;

GRANT UPDATE(remaining) ON TABLE public.lot TO ledgerd_service;

GRANT UPDATE(deferred) ON TABLE public.lot TO ledgerd_service;

GRANT UPDATE(held) ON TABLE public.lot TO ledgerd_service;

GRANT UPDATE(seq) ON TABLE public.lot TO ledgerd_service;

GRANT UPDATE(expired) ON TABLE public.lot TO ledgerd_service;

GRANT UPDATE(breakage) ON TABLE public.lot TO ledgerd_service;

GRANT UPDATE(returned_at) ON TABLE public.lot TO ledgerd_service;

GRANT SELECT,INSERT ON TABLE public.lot_movement TO ledgerd_service;

GRANT SELECT ON TABLE public.migration TO ledgerd_service;

GRANT SELECT,INSERT ON TABLE public."order" TO ledgerd_service;

GRANT SELECT,INSERT ON TABLE public.posting TO ledgerd_service;

GRANT SELECT,INSERT ON TABLE public.product TO ledgerd_service;

GRANT UPDATE(active_until) ON TABLE public.product TO ledgerd_service;

GRANT SELECT,INSERT ON TABLE public.purchase TO ledgerd_service;

GRANT UPDATE(status) ON TABLE public.purchase TO ledgerd_service;

GRANT UPDATE(refunded_amount) ON TABLE public.purchase TO ledgerd_service;

GRANT UPDATE(refunded_coins) ON TABLE public.purchase TO ledgerd_service;

GRANT UPDATE(refunded_bonus_coins) ON TABLE public.purchase TO ledgerd_service;

GRANT UPDATE(settled_amount) ON TABLE public.purchase TO ledgerd_service;

GRANT UPDATE(charged_coins) ON TABLE public.purchase TO ledgerd_service;

GRANT SELECT,INSERT ON TABLE public.receipt_refusal TO ledgerd_service;

GRANT UPDATE(window_ends_at) ON TABLE public.receipt_refusal TO ledgerd_service;

GRANT UPDATE(refused) ON TABLE public.receipt_refusal TO ledgerd_service;

GRANT SELECT,INSERT,UPDATE ON TABLE public.receipt_retry TO ledgerd_service;

GRANT SELECT,INSERT,DELETE ON TABLE public.reconciliation_item TO ledgerd_service;

GRANT UPDATE(kind) ON TABLE public.reconciliation_item TO ledgerd_service;

GRANT UPDATE(outcome) ON TABLE public.reconciliation_item TO ledgerd_service;

GRANT UPDATE(paid_status) ON TABLE public.reconciliation_item TO ledgerd_service;

GRANT UPDATE(paid_amount) ON TABLE public.reconciliation_item TO ledgerd_service;

GRANT UPDATE(cancelled_amount) ON TABLE public.reconciliation_item TO ledgerd_service;

GRANT UPDATE(paid_currency) ON TABLE public.reconciliation_item TO ledgerd_service;

GRANT UPDATE(paid_at) ON TABLE public.reconciliation_item TO ledgerd_service;

GRANT UPDATE(purchase_id) ON TABLE public.reconciliation_item TO ledgerd_service;

GRANT UPDATE(credited_amount) ON TABLE public.reconciliation_item TO ledgerd_service;

GRANT UPDATE(refunded_amount) ON TABLE public.reconciliation_item TO ledgerd_service;

GRANT UPDATE(credited_currency) ON TABLE public.reconciliation_item TO ledgerd_service;

GRANT UPDATE(pending_refund_amount) ON TABLE public.reconciliation_item TO ledgerd_service;

GRANT SELECT,INSERT ON TABLE public.reconciliation_run TO ledgerd_service;

GRANT UPDATE(status) ON TABLE public.reconciliation_run TO ledgerd_service;

GRANT UPDATE(stage) ON TABLE public.reconciliation_run TO ledgerd_service;

GRANT UPDATE(place) ON TABLE public.reconciliation_run TO ledgerd_service;

GRANT UPDATE(failures) ON TABLE public.reconciliation_run TO ledgerd_service;

GRANT UPDATE(failure) ON TABLE public.reconciliation_run TO ledgerd_service;

GRANT UPDATE(counts) ON TABLE public.reconciliation_run TO ledgerd_service;

GRANT UPDATE(lease) ON TABLE public.reconciliation_run TO ledgerd_service;

GRANT UPDATE(leased_until) ON TABLE public.reconciliation_run TO ledgerd_service;

GRANT UPDATE(ended_at) ON TABLE public.reconciliation_run TO ledgerd_service;

GRANT USAGE ON SEQUENCE public.record_id TO ledgerd_service;

GRANT SELECT,INSERT ON TABLE public.refund TO ledgerd_service;

GRANT UPDATE(status) ON TABLE public.refund TO ledgerd_service;

GRANT UPDATE(refund_account) ON TABLE public.refund TO ledgerd_service;

GRANT UPDATE(refusal) ON TABLE public.refund TO ledgerd_service;

GRANT UPDATE(refusal_code) ON TABLE public.refund TO ledgerd_service;

GRANT UPDATE(cancellation_id) ON TABLE public.refund TO ledgerd_service;

GRANT UPDATE(reversal_entry_id) ON TABLE public.refund TO ledgerd_service;

GRANT UPDATE(reason) ON TABLE public.refund TO ledgerd_service;

GRANT UPDATE(attempts) ON TABLE public.refund TO ledgerd_service;

GRANT UPDATE(next_attempt_at) ON TABLE public.refund TO ledgerd_service;

GRANT UPDATE(decided_at) ON TABLE public.refund TO ledgerd_service;

GRANT SELECT,INSERT ON TABLE public.seal TO ledgerd_service;

GRANT SELECT,INSERT ON TABLE public.settlement_file TO ledgerd_service;

GRANT SELECT,INSERT ON TABLE public.settlement_row TO ledgerd_service;

GRANT UPDATE(payment) ON TABLE public.settlement_row TO ledgerd_service;

GRANT UPDATE(gross) ON TABLE public.settlement_row TO ledgerd_service;

GRANT UPDATE(fee) ON TABLE public.settlement_row TO ledgerd_service;

GRANT UPDATE(tax) ON TABLE public.settlement_row TO ledgerd_service;

GRANT UPDATE(net) ON TABLE public.settlement_row TO ledgerd_service;

GRANT UPDATE(paid_out_on) ON TABLE public.settlement_row TO ledgerd_service;

GRANT UPDATE(paid_out_at) ON TABLE public.settlement_row TO ledgerd_service;

GRANT UPDATE(place) ON TABLE public.settlement_row TO ledgerd_service;

GRANT UPDATE(status) ON TABLE public.settlement_row TO ledgerd_service;

GRANT UPDATE(reason) ON TABLE public.settlement_row TO ledgerd_service;

GRANT UPDATE(purchase_id) ON TABLE public.settlement_row TO ledgerd_service;

GRANT UPDATE(journal_entry_id) ON TABLE public.settlement_row TO ledgerd_service;

GRANT UPDATE(settled_at) ON TABLE public.settlement_row TO ledgerd_service;

GRANT SELECT,INSERT ON TABLE public.webhook_event TO ledgerd_service;

GRANT UPDATE(status) ON TABLE public.webhook_event TO ledgerd_service;

GRANT UPDATE(reason) ON TABLE public.webhook_event TO ledgerd_service;

GRANT UPDATE(attempts) ON TABLE public.webhook_event TO ledgerd_service;

GRANT UPDATE(next_attempt_at) ON TABLE public.webhook_event TO ledgerd_service;

GRANT UPDATE(decided_at) ON TABLE public.webhook_event TO ledgerd_service;

GRANT UPDATE(urgency) ON TABLE public.webhook_event TO ledgerd_service;

GRANT UPDATE(repeats) ON TABLE public.webhook_event TO ledgerd_service;
