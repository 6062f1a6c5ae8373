-- @outside-transaction
-- @compatible-from 0136
-- Google's earnings files name a purchase by its order's id (docs/decisions/0215).
DROP INDEX CONCURRENTLY IF EXISTS purchase_by_play_order;
CREATE INDEX CONCURRENTLY purchase_by_play_order ON purchase (payment_id) WHERE gateway = 'google-play';
-- Apple's finance reports name none: those until the end of its period are read (docs/decisions/0215).
DROP INDEX CONCURRENTLY IF EXISTS purchase_at_app_store;
CREATE INDEX CONCURRENTLY purchase_at_app_store ON purchase (paid_at, id) WHERE gateway = 'app-store';
