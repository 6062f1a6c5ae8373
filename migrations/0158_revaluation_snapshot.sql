-- @compatible-from 0156
-- Whose entries were known when a revaluation was measured: the doctor adds them up again. NULL: it was measured before.
ALTER TABLE revaluation_basis ADD COLUMN snapshot pg_snapshot;
