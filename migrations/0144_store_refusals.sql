-- @compatible-from 0136
-- How often in a row a delivery waited for its reason: only refusals in a row are the store's last word (docs/decisions/0213).
ALTER TABLE store_delivery ADD COLUMN in_a_row bigint NOT NULL DEFAULT 0;
GRANT UPDATE (in_a_row) ON store_delivery TO ledgerd_service;
