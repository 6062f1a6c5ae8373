-- @compatible-from 0105
-- Whether the books ended the finding: its payment was credited, its refund decided or its period closed. Somebody's act or the
-- gateway ended the others that are resolved. One that is opened again loses it (note_reopening in schema/judges/events.sql).
ALTER TABLE finding ADD COLUMN ended_by_books boolean NOT NULL DEFAULT false;
GRANT UPDATE (ended_by_books) ON finding TO ledgerd_service;
