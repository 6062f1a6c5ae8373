-- @compatible-from 0039
-- Sales can be planned: the sale of a version begins or ends at a moment that is to come. So no two versions of a product,
-- and no two products of a price, may be on sale at the same moment, whenever that is.
CREATE TYPE text_range AS RANGE (subtype = text, collation = "C");

-- A version can have begun shortly before the end of the one before it, because each moment is that of its transaction's
-- begin. It now begins at that end.
UPDATE product
SET active_from = overlap.ends
FROM (
    SELECT later.id, max(least(earlier.active_until, later.active_until)) AS ends
    FROM product AS earlier
    JOIN product AS later ON earlier.id < later.id
        AND (earlier.code = later.code OR (earlier.currency, earlier.price) = (later.currency, later.price))
        AND tstzrange(earlier.active_from, earlier.active_until) && tstzrange(later.active_from, later.active_until)
    GROUP BY later.id
) AS overlap
WHERE product.id = overlap.id;

ALTER TABLE product
    ADD CONSTRAINT product_code_sold_once EXCLUDE USING gist (
        text_range(code, code, '[]') WITH &&, tstzrange(active_from, active_until) WITH &&),
    -- A payment without an order is credited by its price.
    ADD CONSTRAINT product_price_sold_once EXCLUDE USING gist (
        text_range(currency, currency, '[]') WITH &&, int8range(price, price, '[]') WITH &&,
        tstzrange(active_from, active_until) WITH &&);
DROP INDEX product_active_code_unique, product_active_price_unique;
