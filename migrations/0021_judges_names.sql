-- Nobody can put a table of his own before the ledger's. A session's temporary tables come first in its search path unless
-- the path names them, so a judge who asked for `account` could be shown another one by whoever posts.

-- Also where the migrating role does not own the database, which then keeps what its owner granted.
DO $$
BEGIN
    EXECUTE format('REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC', current_database());
END
$$;

DO $$
DECLARE
    of_ledger regprocedure;
BEGIN
    FOR of_ledger IN
        SELECT oid FROM pg_catalog.pg_proc
        WHERE pronamespace = 'public'::regnamespace AND pg_catalog.pg_has_role(proowner, 'USAGE')
            AND NOT EXISTS (
                SELECT FROM pg_catalog.pg_depend
                WHERE classid = 'pg_catalog.pg_proc'::regclass AND objid = pg_proc.oid AND deptype = 'e')
    LOOP
        EXECUTE format('ALTER FUNCTION %s SET search_path = pg_catalog, public, pg_temp', of_ledger);
    END LOOP;
END
$$;
