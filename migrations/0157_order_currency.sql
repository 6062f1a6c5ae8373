-- @outside-transaction
-- @compatible-from 0156
ALTER TABLE "order" VALIDATE CONSTRAINT order_currency_is_code;
