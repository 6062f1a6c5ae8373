-- @compatible-from 0088
-- The columns of each gateway's settlement files, as a person mapped them last: the console offers them with the next file.
CREATE TABLE settlement_columns (
    gateway     text PRIMARY KEY CONSTRAINT settlement_columns_has_gateway CHECK (gateway <> ''),
    payment_id  text NOT NULL,
    gross       text NOT NULL,
    fee         text, -- NULL: the files have none; likewise tax
    tax         text,
    net         text NOT NULL,
    paid_out_at text NOT NULL,
    saved_by    text NOT NULL, -- the caller, as in the subject of the token
    saved_at    timestamptz NOT NULL DEFAULT clock_timestamp()
);
GRANT SELECT, INSERT (gateway, payment_id, gross, fee, tax, net, paid_out_at, saved_by),
    UPDATE (payment_id, gross, fee, tax, net, paid_out_at, saved_by, saved_at) ON settlement_columns TO ledgerd_service;
