-- @compatible-from 0088
-- Whom the data of a finding's payment names, so that a person can credit it to them; and that a person gave a payment back.
ALTER TABLE finding ADD COLUMN named_user text; -- whom the payment's own data names, as the app or the payer wrote it; NULL: nobody
GRANT UPDATE (named_user) ON finding TO ledgerd_service;

ALTER TABLE finding_act DROP CONSTRAINT finding_act_known;
ALTER TABLE finding_act ADD CONSTRAINT finding_act_known
    CHECK (act IN ('assign', 'unassign', 'note', 'resolve', 'claim', 'refund')) NOT VALID;
ALTER TABLE finding_act DROP CONSTRAINT finding_act_has_reason;
ALTER TABLE finding_act ADD CONSTRAINT finding_act_has_reason
    CHECK (act NOT IN ('note', 'resolve', 'claim', 'refund') OR reason IS NOT NULL) NOT VALID;
