-- @compatible-from 0088
-- Purchases are decided by functions of the database (schema/judges/crediting.sql), which have nothing to be compared with: the
-- judges of the five tables are asked of everything but what those functions write. A function says so of itself in a setting,
-- which counts only for who may set triggers on the books, as the tables' owner may, whose functions they are; the service may
-- say it and is judged. The owner's own rows are judged as ever.
-- Writers lock accounts first of all: none of them is between two of the tables while it waits for one that has a lock already.
LOCK TABLE account IN EXCLUSIVE MODE;
CREATE OR REPLACE TRIGGER account_is_judged AFTER INSERT ON account
    REFERENCING NEW TABLE AS new_account FOR EACH STATEMENT
    WHEN (current_setting('ledgerd.crediting', true) IS DISTINCT FROM 'on'
        OR NOT has_table_privilege('posting'::regclass, 'TRIGGER'))
    EXECUTE FUNCTION judge_accounts();
CREATE OR REPLACE TRIGGER journal_entry_is_judged AFTER INSERT ON journal_entry
    REFERENCING NEW TABLE AS new_entry FOR EACH STATEMENT
    WHEN (current_setting('ledgerd.crediting', true) IS DISTINCT FROM 'on'
        OR NOT has_table_privilege('posting'::regclass, 'TRIGGER'))
    EXECUTE FUNCTION judge_entries();
CREATE OR REPLACE TRIGGER posting_is_judged AFTER INSERT ON posting
    REFERENCING NEW TABLE AS new_posting FOR EACH STATEMENT
    WHEN (current_setting('ledgerd.crediting', true) IS DISTINCT FROM 'on'
        OR NOT has_table_privilege('posting'::regclass, 'TRIGGER'))
    EXECUTE FUNCTION judge_postings();
CREATE OR REPLACE TRIGGER purchase_is_judged AFTER INSERT ON purchase
    REFERENCING NEW TABLE AS new_purchase FOR EACH STATEMENT
    WHEN (current_setting('ledgerd.crediting', true) IS DISTINCT FROM 'on'
        OR NOT has_table_privilege('posting'::regclass, 'TRIGGER'))
    EXECUTE FUNCTION judge_purchases();
CREATE OR REPLACE TRIGGER lot_is_judged AFTER INSERT ON lot
    REFERENCING NEW TABLE AS new_lot FOR EACH STATEMENT
    WHEN (current_setting('ledgerd.crediting', true) IS DISTINCT FROM 'on'
        OR NOT has_table_privilege('posting'::regclass, 'TRIGGER'))
    EXECUTE FUNCTION judge_lots();
