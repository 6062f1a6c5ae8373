-- @compatible-from 0157
-- An order is of won or of a currency that the books have, and of an amount that they can have; amounts of gateways are
-- read up to the largest price (docs/decisions/0226).

ALTER TABLE "order"
    ADD CONSTRAINT order_amount_in_range
        CHECK (amount <= CASE currency WHEN 'KRW' THEN 1000000000000 ELSE 100000000000000 END) NOT VALID;
ALTER TABLE product_price
    DROP CONSTRAINT product_price_in_range,
    ADD CONSTRAINT product_price_in_range CHECK (amount BETWEEN 1 AND 100000000000000) NOT VALID;

-- @after-judges

CREATE TRIGGER order_is_judged BEFORE INSERT ON "order"
    FOR EACH ROW WHEN (NEW.currency <> 'KRW') EXECUTE FUNCTION judge_order();
