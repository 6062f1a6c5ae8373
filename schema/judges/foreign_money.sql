-- Money of foreign currencies (docs/decisions/0223): its accounts, the rate of a payment, and what both legs of it post.

-- The decimals of a currency of ISO 4217, as the target Currencies has them: a test compares both. NULL: it has no such code.
CREATE OR REPLACE FUNCTION currency_decimals(code text) RETURNS bigint LANGUAGE plpgsql IMMUTABLE
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    none  CONSTANT text := 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF';
    two   CONSTANT text := 'AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF
            CHE CHF CHW CNY COP COU CRC CUC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ
            GYD HKD HNL HRK HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD
            MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD
            RUB SAR SBD SCR SDG SEK SGD SHP SLE SLL SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH
            USD USN UYU UZS VED VES WST XAD XCD XCG YER ZAR ZMW ZWG ZWL';
    three CONSTANT text := 'BHD IQD JOD KWD LYD OMR TND';
    four  CONSTANT text := 'CLF UYW';
BEGIN
    RETURN CASE
        WHEN code !~ '^[A-Z]{3}$' THEN NULL
        WHEN strpos(two, code) > 0 THEN 2
        WHEN strpos(none, code) > 0 THEN 0
        WHEN strpos(three, code) > 0 THEN 3
        WHEN strpos(four, code) > 0 THEN 4 END;
END
$$;

-- Opens the accounts of a currency in every stripe that has none: what each gateway owes in it, both legs of what is open in it, and
-- what exchange rates gain and lose.
CREATE OR REPLACE FUNCTION open_accounts_of_currency(opened text) RETURNS void LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    WITH block AS MATERIALIZED (SELECT nextval('record_id') AS start)
    INSERT INTO account (id, stripe, code, currency, normal_side)
    SELECT block.start - 1 + row_number() OVER (), number.stripe, new.name || '/' || number.stripe, new.currency,
        new.normal_side
    FROM block, ledger, generate_series(0, ledger.stripes - 1) AS number (stripe),
        (VALUES
            ('gateway:receivable:' || opened, opened, 'D'), ('app-store:receivable:' || opened, opened, 'D'),
            ('google-play:receivable:' || opened, opened, 'D'), ('fx:clearing:' || opened, opened, 'C'),
            ('fx:clearing:' || opened || ':KRW', 'KRW', 'D'), ('fx:gain:' || opened, 'KRW', 'C'),
            ('fx:loss:' || opened, 'KRW', 'D'), ('fx:unrealised:' || opened, 'KRW', 'C')
        ) AS new (name, currency, normal_side)
    WHERE NOT EXISTS (SELECT FROM account WHERE account.code = new.name || '/' || number.stripe);
END
$$;

-- Opens a currency, once: with its first rate, on which two people agree.
CREATE OR REPLACE FUNCTION open_foreign_currency(opened text) RETURNS void LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF opened = 'KRW' OR currency_decimals(opened) IS NULL THEN
        RAISE EXCEPTION '% is no foreign currency of ISO 4217', opened
            USING ERRCODE = 'check_violation', TABLE = 'foreign_currency', CONSTRAINT = 'foreign_currency_known';
    END IF;
    INSERT INTO foreign_currency (code) VALUES (opened) ON CONFLICT DO NOTHING;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    PERFORM open_accounts_of_currency(opened);
END
$$;

CREATE OR REPLACE FUNCTION open_currency_of_rate() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM open_foreign_currency(NEW.currency);
    RETURN NULL;
END
$$;

-- An order in a foreign currency is in one that has accounts: what is paid for it can be booked.
CREATE OR REPLACE FUNCTION judge_order() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM foreign_currency WHERE code = NEW.currency) THEN
        RAISE EXCEPTION 'the order % is in %, of which no rate was published', NEW.merchant_uid, NEW.currency
            USING ERRCODE = 'foreign_key_violation', TABLE = 'order', CONSTRAINT = 'order_currency_known';
    END IF;
    RETURN NEW;
END
$$;

-- The rate of a payment: the newest version of the last day, of the rates that were published when it was paid. Of a payment from
-- before the first of them, the same of those that were published when it was credited. NULL: there is none, and the payment waits.
-- Today is the day of the payment.
CREATE OR REPLACE FUNCTION rate_of_payment(
    of_currency text, paid_at timestamptz, credited_at timestamptz, today date
) RETURNS bigint LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    RETURN coalesce(
        (SELECT id FROM rate
        WHERE currency = of_currency AND day <= today AND published_at <= least(paid_at, credited_at)
        ORDER BY day DESC, version DESC LIMIT 1),
        (SELECT id FROM rate
        WHERE currency = of_currency AND day <= today AND published_at <= credited_at
        ORDER BY day DESC, version DESC LIMIT 1));
END
$$;

-- Whether an amount has the worth that a purchase says, at the rate of the payment. The service knows which day it was in the time
-- zone of the books: here it is that of some place on Earth.
CREATE OR REPLACE FUNCTION is_worth_of_payment(bought purchase) RETURNS boolean LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    last  date := (bought.paid_at AT TIME ZONE 'UTC' + interval '14 hours')::date;
    quote rate;
BEGIN
    SELECT * INTO quote FROM rate WHERE id = bought.rate_id;
    RETURN coalesce(
        bought.currency = 'KRW' AND quote.currency = bought.foreign_currency
        AND bought.amount = converted(
            bought.foreign_amount, currency_decimals(bought.foreign_currency), quote.value, quote.scale, quote.per, 0)
        AND EXISTS (
            SELECT FROM generate_series(0, 2) AS before (days)
            WHERE last - days >= (bought.paid_at AT TIME ZONE 'UTC' - interval '12 hours')::date
                AND rate_of_payment(bought.foreign_currency, bought.paid_at, bought.credited_at, last - days) = quote.id),
        false);
END
$$;

-- What a purchase posts on the accounts of its currency, weighed: what the gateway owes, the mirror of it, and its won.
CREATE OR REPLACE FUNCTION foreign_facts(gateway text, currency text, paid bigint, won bigint, salt bigint) RETURNS numeric
LANGUAGE plpgsql IMMUTABLE
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    RETURN paid * hashtextextended(receivable_of(gateway) || ':' || currency, salt)::numeric
        - paid * hashtextextended('fx:clearing:' || currency, salt)::numeric
        + won * hashtextextended('fx:clearing:' || currency || ':KRW', salt)::numeric;
END
$$;

-- What a settlement of such a purchase posts, but for the bank, weighed: what is no longer owed, its won at the carrying amount, and
-- what its won at the rate of the payout are more, as a gain, or less, as a loss.
CREATE OR REPLACE FUNCTION foreign_settlement_facts(
    gateway text, currency text, paid bigint, carried bigint, won bigint, salt bigint
) RETURNS numeric LANGUAGE plpgsql IMMUTABLE
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    RETURN -foreign_facts(gateway, currency, paid, carried, salt)
        + (carried - won) * hashtextextended(
            CASE WHEN won < carried THEN 'fx:loss:' ELSE 'fx:gain:' END || currency, salt)::numeric;
END
$$;

REVOKE ALL ON FUNCTION currency_decimals, open_accounts_of_currency, open_foreign_currency, open_currency_of_rate, judge_order,
    rate_of_payment, is_worth_of_payment, foreign_facts, foreign_settlement_facts FROM PUBLIC;
GRANT EXECUTE ON FUNCTION currency_decimals, rate_of_payment, is_worth_of_payment TO ledgerd_service;
