-- @outside-transaction
-- @compatible-from 0157
ALTER TABLE "order" VALIDATE CONSTRAINT order_amount_in_range;
ALTER TABLE product_price VALIDATE CONSTRAINT product_price_in_range;
