-- @compatible-from 0158
-- Prices above the limit of 0160 wait here while 0161 validates it; 0168 has the limit as before, and brings them back.
CREATE TABLE product_price_aside AS SELECT * FROM product_price WHERE amount > 100000000000000;
DELETE FROM product_price WHERE amount > 100000000000000;
