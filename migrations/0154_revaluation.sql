-- @compatible-from 0150
-- Revaluation at the ends of months (docs/decisions/0225): what is open in a foreign currency, at the last rate of the month.

-- What a revaluation comes from is measured by the database, and not believed.
CREATE TABLE revaluation_basis (
    id          bigint PRIMARY KEY,
    currency    text NOT NULL,
    month       text NOT NULL
        CONSTRAINT revaluation_basis_month_is_one CHECK (month ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'),
    zone        text NOT NULL, -- the time zone of months
    ends_at     timestamptz NOT NULL, -- the first moment after the month
    rate_id     bigint NOT NULL, -- the last one of the month
    open        bigint NOT NULL, -- in minor units of the currency, by entries that are effective by then
    carried     bigint NOT NULL, -- its carrying amount in won
    worth       bigint NOT NULL, -- in won, at the rate
    measured_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
GRANT SELECT, INSERT (currency, month, zone) ON revaluation_basis TO ledgerd_service;

-- A month of a currency is revalued once: by an entry at its end, and by the opposite one on the first of the next month.
CREATE TABLE revaluation (
    id                bigint PRIMARY KEY,
    currency          text NOT NULL,
    month             text NOT NULL,
    basis_id          bigint NOT NULL,
    amount            bigint NOT NULL, -- the worth less the carrying amount
    journal_entry_id  bigint, -- NULL: nothing was to be posted
    reversal_entry_id bigint,
    revalued_by       text NOT NULL, -- the caller, as in the subject of the token
    recorded_at       timestamptz NOT NULL,
    CONSTRAINT revaluation_once UNIQUE (currency, month),
    CONSTRAINT revaluation_with_entries
        CHECK (num_nonnulls(journal_entry_id, reversal_entry_id) = CASE WHEN amount = 0 THEN 0 ELSE 2 END)
);
GRANT SELECT, INSERT ON revaluation TO ledgerd_service;

-- @after-judges

CREATE TRIGGER revaluation_basis_is_measured BEFORE INSERT ON revaluation_basis
    FOR EACH ROW EXECUTE FUNCTION measure_revaluation_basis();
CREATE TRIGGER revaluation_is_judged AFTER INSERT ON revaluation FOR EACH ROW EXECUTE FUNCTION judge_revaluation();
CREATE TRIGGER revaluation_basis_is_immutable BEFORE UPDATE OR DELETE OR TRUNCATE ON revaluation_basis
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER revaluation_is_immutable BEFORE UPDATE OR DELETE OR TRUNCATE ON revaluation
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
