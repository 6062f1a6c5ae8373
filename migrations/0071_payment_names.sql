-- @compatible-from 0068
-- The further names of credited payments: a payment that both APIs of a gateway show is credited under one name
-- (docs/decisions/0080-one-payment-in-two-apis.md). A name is kept when the gateway has shown that it is the payment's.
CREATE TABLE payment_name (
    imp_uid      text NOT NULL, -- as in purchase; V2 has a second name, the payment id that receipts present
    gateway      text NOT NULL,
    merchant_uid text NOT NULL,
    purchase_id  bigint NOT NULL,
    noted_at     timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (imp_uid, gateway)
);
GRANT SELECT, INSERT (imp_uid, gateway, merchant_uid, purchase_id) ON payment_name TO ledgerd_service;
CREATE TRIGGER payment_name_is_immutable BEFORE UPDATE OR DELETE OR TRUNCATE ON payment_name
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- A further name is one at another gateway, of the same order, and no purchase's own.
CREATE FUNCTION judge_payment_name() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF NOT EXISTS (
            SELECT FROM purchase
            WHERE id = NEW.purchase_id AND merchant_uid = NEW.merchant_uid AND gateway <> NEW.gateway)
        OR EXISTS (SELECT FROM purchase WHERE imp_uid = NEW.imp_uid AND gateway = NEW.gateway)
    THEN
        RAISE EXCEPTION 'the name % at % does not fit purchase %', NEW.imp_uid, NEW.gateway, NEW.purchase_id
            USING ERRCODE = 'foreign_key_violation', TABLE = 'payment_name', CONSTRAINT = 'payment_name_fits_purchase';
    END IF;
    RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION judge_payment_name FROM PUBLIC;
CREATE TRIGGER payment_name_is_judged AFTER INSERT ON payment_name
    FOR EACH ROW EXECUTE FUNCTION judge_payment_name();
