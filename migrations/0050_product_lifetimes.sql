-- @compatible-from 0040
-- A product version can say how long its coins live, and an order keeps what was sold: days after the credit, 0: forever,
-- NULL: as the service's settings say.
ALTER TABLE product
    ADD COLUMN coin_days bigint CONSTRAINT product_coin_days_in_range CHECK (coin_days BETWEEN 0 AND 36500),
    ADD COLUMN bonus_coin_days bigint CONSTRAINT product_bonus_coin_days_in_range CHECK (bonus_coin_days BETWEEN 0 AND 36500);
ALTER TABLE "order" ADD COLUMN coin_days bigint, ADD COLUMN bonus_coin_days bigint;
