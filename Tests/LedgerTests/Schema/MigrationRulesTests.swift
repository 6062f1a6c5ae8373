import Testing

@testable import Ledger

@Suite(.timeLimit(.minutes(20))) struct MigrationRulesTests {
    @Test func `no migration holds a lock on a large table while it reads or writes it`() {
        for migration in Migration.all.dropFirst() {
            #expect(MigrationRules.violations(in: migration) == [], "\(migration.title): see docs/upgrading.md")
        }
    }

    @Test(arguments: [
        "CREATE INDEX posting_by_side ON posting (side)",
        "CREATE UNIQUE INDEX a ON \"order\" (id) WHERE status = 'open; ON new'",
        "ALTER TABLE posting ADD CONSTRAINT a CHECK (amount < 9)",
        "ALTER TABLE lot ADD COLUMN a bigint, ADD CONSTRAINT b CHECK (a > 0) NOT VALID, ADD CONSTRAINT c CHECK (a < 9)",
        "ALTER TABLE lot ADD COLUMN a bigint CHECK (a > 0)",
        "ALTER TABLE lot ADD a bigint REFERENCES lot (id)",
        "ALTER TABLE lot ADD CONSTRAINT a UNIQUE (seq)",
        "ALTER TABLE lot ADD COLUMN a boolean GENERATED ALWAYS AS (held > 0) STORED",
        "ALTER TABLE lot ADD COLUMN a uuid DEFAULT gen_random_uuid()",
        "ALTER TABLE lot ALTER COLUMN held TYPE numeric",
        "ALTER TABLE lot ALTER held SET NOT NULL",
        "ALTER TABLE lot ADD CONSTRAINT a CHECK (held > 0) NOT VALID; ALTER TABLE lot VALIDATE CONSTRAINT a",
        "-- @outside-transaction\nCREATE INDEX CONCURRENTLY a ON lot (held)",
        "-- @outside-transaction\nDROP INDEX CONCURRENTLY IF EXISTS b; CREATE INDEX CONCURRENTLY a ON lot (held)",
        "-- @outside-transaction\nUPDATE lot SET held = 0",
        "-- @outside-transactions\n",
        "-- @after-judges now\n",
        "-- @outside-transaction\n-- @after-judges\n",
        "CREATE OR REPLACE FUNCTION f() RETURNS void LANGUAGE sql AS $$ SELECT $$",
        "-- @compatible-from 9000",
        "-- @compatible-from last",
    ])
    func `what blocks writers is refused`(_ sql: String) {
        #expect(!MigrationRules.violations(in: Self.migration(sql)).isEmpty)
    }

    @Test(arguments: [
        "CREATE TABLE note (id bigint PRIMARY KEY, CHECK (id > 0)); CREATE INDEX note_by_id ON note (id)",
        "CREATE TABLE note (id bigint); ALTER TABLE note ADD CONSTRAINT a CHECK (id > 0), ALTER COLUMN id SET NOT NULL",
        "ALTER TABLE product ADD CONSTRAINT a CHECK (price > 0); CREATE INDEX a ON product (code)",
        "ALTER TABLE lot ADD COLUMN a bigint NOT NULL DEFAULT 0, ADD CONSTRAINT b CHECK (a IN (0, 1)) NOT VALID",
        "ALTER TABLE lot ADD CONSTRAINT a UNIQUE USING INDEX lot_a; ALTER TABLE lot DROP COLUMN held",
        "DO $$ BEGIN EXECUTE 'CREATE INDEX a ON note (id)'; END $$",
        "CREATE TABLE note (id bigint);\n-- @after-judges\nCREATE TRIGGER a AFTER INSERT ON note EXECUTE FUNCTION f()",
        "-- CREATE INDEX a ON lot (held);\n",
        """
        -- @outside-transaction
        -- @compatible-from 0027
        DROP INDEX CONCURRENTLY IF EXISTS lot_a;
        CREATE UNIQUE INDEX CONCURRENTLY lot_a ON lot (id)
            WHERE held > 0;
        ALTER TABLE lot VALIDATE CONSTRAINT lot_b;
        """,
    ])
    func `what blocks nobody for long is allowed`(_ sql: String) {
        #expect(MigrationRules.violations(in: Self.migration(sql)) == [])
    }

    private static func migration(_ sql: String) -> Migration { Migration(version: 9000, name: "sample", sql: sql) }
}
