-- Automatic top-up: a user's card is charged for coins when few are left (docs/decisions/0207).

-- What a user agreed to.
CREATE TABLE top_up (
    id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    user_id       text NOT NULL,
    status        text NOT NULL DEFAULT 'active',
    gateway       text NOT NULL,
    billing_key   text, -- the gateway's name of the user's card: V1 customer_uid, V2 billingKey; gone when the consent ends
    product       text NOT NULL, -- the product's code; its version at the time of a charge is what is sold
    threshold     bigint NOT NULL CONSTRAINT top_up_threshold_positive CHECK (threshold > 0), -- fewer coins start a charge
    monthly_limit bigint NOT NULL CONSTRAINT top_up_monthly_limit_positive CHECK (monthly_limit > 0), -- won a month
    failures      bigint NOT NULL DEFAULT 0, -- failed charges in a row
    reason        text, -- why it is paused or revoked
    rests_until   timestamptz, -- no charge starts before
    agreed_at     timestamptz NOT NULL DEFAULT now(),
    set_by        text NOT NULL, -- the caller who stored it, as in the subject of the token
    changed_by    text, -- who paused, resumed or revoked it; NULL: nobody, or ledgerd paused it
    ended_at      timestamptz,
    CONSTRAINT top_up_status_known CHECK (status IN ('active', 'paused', 'revoked')),
    CONSTRAINT top_up_ended_has_time CHECK ((status = 'revoked') = (ended_at IS NOT NULL)),
    CONSTRAINT top_up_key_is_erased CHECK ((status = 'revoked') = (billing_key IS NULL)),
    CONSTRAINT top_up_billing_key_in_range CHECK (char_length(billing_key) BETWEEN 1 AND 200),
    CONSTRAINT top_up_stopped_has_reason CHECK ((status = 'active') = (reason IS NULL))
) WITH (fillfactor = 80);
-- A user has agreed to one at a time.
CREATE UNIQUE INDEX top_up_one_in_force ON top_up (user_id) WHERE status <> 'revoked';
CREATE INDEX top_up_of_user ON top_up (user_id, id DESC);
GRANT SELECT ON top_up TO ledgerd_service;

-- Each charge. A work list: one waits until it is known what became of it at the gateway.
CREATE TABLE top_up_charge (
    id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    top_up_id       bigint NOT NULL CONSTRAINT top_up_charge_of_top_up REFERENCES top_up,
    user_id         text NOT NULL,
    status          text NOT NULL DEFAULT 'waiting',
    reason          text NOT NULL DEFAULT 'started', -- why it waits, or what came of it
    journal_entry_id bigint NOT NULL, -- the spend or capture that started it
    -- What its order will be called, from the beginning: time, then chance. After a failover or a restore that has lost that the
    -- gateway was asked, it is asked for the same order.
    name            text NOT NULL DEFAULT 'topup-' || lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000)::bigint), 12, '0')
        || right(replace(gen_random_uuid()::text, '-', ''), 20),
    merchant_uid    text, -- of the order that is charged, which is its name; NULL: the gateway was never asked
    amount          bigint, -- of that order, won
    attempts        bigint NOT NULL DEFAULT 0,
    started_at      timestamptz NOT NULL DEFAULT now(),
    next_attempt_at timestamptz NOT NULL DEFAULT now(),
    lease_holder    bigint,
    asked_at        timestamptz, -- when the gateway was asked to charge; NULL: never, or the request did not reach it
    decided_at      timestamptz,
    CONSTRAINT top_up_charge_status_known CHECK (status IN ('waiting', 'credited', 'failed', 'dropped')),
    CONSTRAINT top_up_charge_decided_has_time CHECK ((status = 'waiting') = (decided_at IS NULL)),
    CONSTRAINT top_up_charge_order_unique UNIQUE (merchant_uid),
    CONSTRAINT top_up_charge_order_has_name CHECK (merchant_uid = name),
    CONSTRAINT top_up_charge_order_has_amount CHECK ((merchant_uid IS NULL) = (amount IS NULL)),
    CONSTRAINT top_up_charge_asked_has_order CHECK (asked_at IS NULL OR merchant_uid IS NOT NULL),
    -- What was asked of the gateway is never dropped: it may have been carried out.
    CONSTRAINT top_up_charge_dropped_is_not_asked CHECK (status <> 'dropped' OR asked_at IS NULL),
    CONSTRAINT top_up_charge_credited_has_order CHECK (status <> 'credited' OR merchant_uid IS NOT NULL)
) WITH (fillfactor = 80);
-- One charge of a user is open at a time.
CREATE UNIQUE INDEX top_up_charge_one_open ON top_up_charge (user_id) WHERE status = 'waiting';
CREATE INDEX top_up_charge_of_user ON top_up_charge (user_id, id DESC);
CREATE INDEX top_up_charge_due ON top_up_charge (next_attempt_at) WHERE status = 'waiting';
CREATE INDEX top_up_charge_leased ON top_up_charge (lease_holder) WHERE status = 'waiting' AND lease_holder IS NOT NULL;
GRANT SELECT, UPDATE (reason, attempts, next_attempt_at, lease_holder) ON top_up_charge TO ledgerd_service;

-- @after-judges

-- After the judges, by its name: totals are those after the entries.
CREATE TRIGGER posting_tops_up AFTER INSERT ON posting
    REFERENCING NEW TABLE AS new_posting FOR EACH STATEMENT EXECUTE FUNCTION start_top_ups();
CREATE TRIGGER purchase_ends_top_up AFTER INSERT ON purchase
    REFERENCING NEW TABLE AS new_purchase FOR EACH STATEMENT EXECUTE FUNCTION credit_top_ups();
CREATE TRIGGER top_up_is_judged BEFORE UPDATE ON top_up FOR EACH ROW EXECUTE FUNCTION judge_top_up();
CREATE TRIGGER top_up_is_told_of AFTER INSERT OR UPDATE ON top_up FOR EACH ROW EXECUTE FUNCTION record_top_up();
CREATE TRIGGER top_up_charge_is_judged BEFORE UPDATE ON top_up_charge
    FOR EACH ROW EXECUTE FUNCTION judge_top_up_charge();
CREATE TRIGGER top_up_charge_is_recorded AFTER UPDATE OF status ON top_up_charge
    FOR EACH ROW WHEN (NEW.status <> OLD.status) EXECUTE FUNCTION record_top_up_charge();
CREATE TRIGGER top_up_charge_is_told_of AFTER INSERT OR UPDATE OF status, next_attempt_at ON top_up_charge
    FOR EACH ROW WHEN (NEW.status = 'waiting' AND NEW.next_attempt_at <= now()) EXECUTE FUNCTION tell_of_work();
