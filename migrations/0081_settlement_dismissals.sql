-- @compatible-from 0071
-- Lines of settlement files that are not ours, by a person's decision. A line stays unmatched: an import of its file books
-- it if its payment is credited after all.
CREATE TABLE settlement_dismissal (
    row_id       bigint NOT NULL, -- of settlement_row
    payment      text NOT NULL, -- the row's: the decision is not about another payment that another mapping makes of it
    reason       text NOT NULL CONSTRAINT settlement_dismissal_has_reason CHECK (reason <> ''),
    dismissed_by text NOT NULL, -- the caller, as in the subject of the token
    dismissed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (row_id, payment)
);
GRANT SELECT, INSERT (row_id, payment, reason, dismissed_by) ON settlement_dismissal TO ledgerd_service;
CREATE TRIGGER settlement_dismissal_is_immutable BEFORE UPDATE OR DELETE OR TRUNCATE ON settlement_dismissal
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Only a row whose payment is not in the books can be dismissed.
CREATE FUNCTION judge_settlement_dismissal() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF NOT EXISTS (
        SELECT FROM settlement_row WHERE id = NEW.row_id AND payment = NEW.payment AND status = 'unmatched')
    THEN
        RAISE EXCEPTION 'settlement row % is not unmatched, or of another payment', NEW.row_id
            USING ERRCODE = 'check_violation', TABLE = 'settlement_dismissal',
                CONSTRAINT = 'settlement_dismissal_of_unmatched';
    END IF;
    RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION judge_settlement_dismissal FROM PUBLIC;
CREATE TRIGGER settlement_dismissal_is_judged AFTER INSERT ON settlement_dismissal
    FOR EACH ROW EXECUTE FUNCTION judge_settlement_dismissal();
