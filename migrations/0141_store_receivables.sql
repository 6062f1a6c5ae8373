-- @compatible-from 0136
-- What each store owes is on an account of its own (docs/decisions/0213). No store has sold anything yet, so nothing moves.
-- A ledger that is made after the migrations has these accounts from the beginning.
WITH block AS MATERIALIZED (SELECT nextval('record_id') AS start)
INSERT INTO account (id, stripe, code, currency, normal_side)
SELECT block.start - 1 + row_number() OVER (), number.stripe, new.name || '/' || number.stripe, 'KRW', 'D'
FROM block, ledger, generate_series(0, ledger.stripes - 1) AS number (stripe),
    (VALUES ('app-store:receivable'), ('google-play:receivable')) AS new (name)
ON CONFLICT (code) DO NOTHING;
