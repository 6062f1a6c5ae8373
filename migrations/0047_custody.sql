-- What is in custody for the prepaid money of users, as finance reads it from the custodians, and the finding when it is
-- too little.

-- Only added: a wrong balance is followed by the right one.
CREATE TABLE custody_balance (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    key        text NOT NULL CONSTRAINT custody_balance_once UNIQUE, -- of the request: one that is sent twice is one balance
    custodian  text NOT NULL, -- the bank, trustee or insurer
    method     text NOT NULL
        CONSTRAINT custody_balance_method_known CHECK (method IN ('trust', 'deposit', 'guarantee_insurance')),
    balance    bigint NOT NULL CONSTRAINT custody_balance_not_negative CHECK (balance >= 0), -- won
    held_at    timestamptz NOT NULL, -- when the custodian held it
    note       text,
    entered_by text NOT NULL, -- the caller, as in the subject of the token
    entered_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    CONSTRAINT custody_balance_is_of_the_past CHECK (held_at <= entered_at + interval '1 day') -- clocks differ
);
CREATE INDEX custody_balance_latest ON custody_balance (custodian, held_at, id);
GRANT SELECT, INSERT (key, custodian, method, balance, held_at, note, entered_by) ON custody_balance TO ledgerd_service;
CREATE TRIGGER custody_balance_is_immutable BEFORE UPDATE OR DELETE OR TRUNCATE ON custody_balance
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- A finding may also be about custody: then it has no payment and no endpoint.
ALTER TABLE finding
    DROP CONSTRAINT finding_is_of_payment_or_endpoint,
    ADD CONSTRAINT finding_is_of_payment_or_endpoint CHECK (
        num_nulls(gateway, imp_uid, merchant_uid, amount, currency)
        = CASE WHEN endpoint_id IS NULL AND kinds <> '{custody_short}' THEN 0 ELSE 5 END) NOT VALID;
