-- @compatible-from 0071
-- Won that went back before they were recognised have no VAT when their coins expire later: what a lot has VAT of is the sum of
-- what was used, what expired and what is deferred, and only the sum can't be below zero. Each term was bounded by itself, so
-- the VAT of held coins of a cancelled payment that came back and expired was booked, although their won had gone back.
--
-- The state of lots stays as it is. What was booked too much is found by the doctor (docs/vat.md).
CREATE OR REPLACE FUNCTION lot_vat_payable(rule text, taxed bigint, deferred bigint, taxed_breakage bigint) RETURNS bigint
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT CASE rule WHEN 'at_use' THEN greatest(taxed + taxed_breakage, 0) / 11
        WHEN 'at_sale' THEN greatest(taxed + deferred + taxed_breakage, 0) / 11 ELSE 0 END
$$;
-- The part of it that was paid ahead for won that are deferred.
CREATE OR REPLACE FUNCTION lot_vat_deferred(rule text, taxed bigint, deferred bigint, taxed_breakage bigint) RETURNS bigint
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT CASE rule WHEN 'at_sale' THEN greatest(taxed + deferred + taxed_breakage, 0) / 11
        - greatest(taxed + taxed_breakage, 0) / 11 ELSE 0 END
$$;
-- The part of it that breakage contains: what is missing to the VAT of used coins.
CREATE OR REPLACE FUNCTION lot_vat_breakage(rule text, taxed bigint, taxed_breakage bigint) RETURNS bigint
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT CASE WHEN rule IN ('at_use', 'at_sale')
        THEN greatest(taxed + taxed_breakage, 0) / 11 - greatest(taxed, 0) / 11 ELSE 0 END
$$;
