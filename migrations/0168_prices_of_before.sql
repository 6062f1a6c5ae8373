-- @compatible-from 0163
-- A price of before 0160 stays as it was set. The service sets no price above 10^14, and sells nothing at one: no gateway's
-- amount is read up to it, and order_amount_in_range refuses the order (docs/decisions/0226).
ALTER TABLE product_price
    DROP CONSTRAINT product_price_in_range,
    ADD CONSTRAINT product_price_in_range CHECK (amount BETWEEN 1 AND 1000000000000000);
INSERT INTO product_price OVERRIDING SYSTEM VALUE SELECT * FROM product_price_aside;
DROP TABLE product_price_aside;
