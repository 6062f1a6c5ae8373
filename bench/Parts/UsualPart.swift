import Foundation
import LedgerTestSupport

/// The usual way to keep such a ledger: one transaction per purchase, in a function that locks the rows it changes.
///
/// It writes the same rows as the engine, without checks.
struct UsualPart: ComparedPart {
    static let name = "usual"

    func withContenders(_ scale: Scale, _ body: ([Contender]) async throws -> Void) async throws {
        try await TestLedger.withDatabase { books in
            try await Program.inDirectory { directory in
                try await Program.psql(Self.schema(users: scale.users), at: books.database.url, in: directory)
                let script = "\\set user random(1, \(scale.users))\nSELECT usual.buy(:user);\n"
                try await body(
                    scale.sessions.map { sessions in
                        let figures = [Figures.usual(clients: sessions), Figures.usualBest]
                        return Contender(part: Self.name, figures: figures) { _ in
                            let (rate, problems) = try await run(scale.slice, script, sessions, books, directory)
                            return figures.map {
                                Sample(
                                    figure: $0, value: rate, unit: .perSecond, problems: problems,
                                    note: $0 == Figures.usualBest ? "\(sessions) clients" : "")
                            }
                        }
                    })
            }
        }
    }

    private func run(
        _ scale: Scale, _ script: String, _ sessions: Int, _ books: TestLedger, _ directory: URL
    ) async throws -> (Double, [String]) {
        let before = try await books.number("SELECT count(*) FROM usual.purchase")
        let (rate, count) = try await PGBench.run(
            script, sessions: sessions, seconds: scale.seconds, at: books.database.url, in: directory)
        let made = try await books.number("SELECT count(*) FROM usual.purchase") - before
        let wrong = try await books.number(Self.wrong)
        return (
            rate,
            (made == count ? [] : ["\(made) purchases of \(count) transactions"])
                + (wrong == 0 ? [] : ["\(wrong) accounts or sums are wrong"])
        )
    }

    private static let wrong = """
        SELECT count(*) FROM (
            SELECT 1 FROM usual.account LEFT JOIN usual.posting ON account_id = id
            GROUP BY id
            HAVING debits <> coalesce(sum(amount) FILTER (WHERE side = 'D'), 0)
                OR credits <> coalesce(sum(amount) FILTER (WHERE side = 'C'), 0)
            UNION ALL
            SELECT 1 FROM usual.posting JOIN usual.account ON account_id = id
            GROUP BY currency HAVING sum(CASE side WHEN 'D' THEN amount ELSE -amount END) <> 0
        ) AS wrong
        """

    /// Three system accounts and one account per user.
    ///
    /// Every purchase changes their totals under locks.
    private static func schema(users: Int) -> String {
        """
        CREATE SCHEMA usual;
        SET search_path = usual;
        CREATE TABLE account (
            id bigint PRIMARY KEY, owner text, currency text NOT NULL, debits bigint NOT NULL DEFAULT 0,
            credits bigint NOT NULL DEFAULT 0, seq bigint NOT NULL DEFAULT 0);
        CREATE TABLE entry (
            id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, kind text NOT NULL, reference text NOT NULL,
            effective_at timestamptz NOT NULL, recorded_at timestamptz NOT NULL);
        CREATE TABLE posting (
            account_id bigint NOT NULL, seq bigint NOT NULL, entry_id bigint NOT NULL, amount bigint NOT NULL,
            balance bigint NOT NULL, side text NOT NULL, PRIMARY KEY (account_id, seq));
        CREATE TABLE purchase (
            id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, user_id text NOT NULL, status text NOT NULL,
            gateway text NOT NULL, imp_uid text NOT NULL, merchant_uid text NOT NULL, product text NOT NULL,
            amount bigint NOT NULL, currency text NOT NULL, coins bigint NOT NULL, bonus_coins bigint NOT NULL,
            paid_at timestamptz NOT NULL, credited_at timestamptz NOT NULL, entry_id bigint NOT NULL,
            UNIQUE (imp_uid, gateway), UNIQUE (merchant_uid));
        CREATE INDEX ON purchase (user_id, credited_at DESC, id DESC);
        CREATE TABLE lot (
            id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, user_id text NOT NULL, kind text NOT NULL,
            coins bigint NOT NULL, remaining bigint NOT NULL, amount bigint NOT NULL, deferred bigint NOT NULL,
            acquired_at timestamptz NOT NULL, purchase_id bigint NOT NULL, entry_id bigint NOT NULL);
        CREATE INDEX ON lot (user_id) WHERE remaining > 0;
        CREATE SEQUENCE number;
        INSERT INTO account (id, currency) VALUES (-1, 'COIN'), (-2, 'KRW'), (-3, 'KRW');
        INSERT INTO account (id, owner, currency) SELECT n, 'user-' || n, 'COIN' FROM generate_series(1, \(users)) AS n;

        CREATE FUNCTION post(of_account bigint, of_entry bigint, of_amount bigint, of_side text) RETURNS void
        LANGUAGE plpgsql SET search_path = usual AS $$
        DECLARE
            place bigint;
            sum bigint;
        BEGIN
            UPDATE account SET seq = seq + 1,
                debits = debits + CASE of_side WHEN 'D' THEN of_amount ELSE 0 END,
                credits = credits + CASE of_side WHEN 'C' THEN of_amount ELSE 0 END
            WHERE id = of_account RETURNING seq, abs(debits - credits) INTO place, sum;
            INSERT INTO posting VALUES (of_account, place, of_entry, of_amount, sum, of_side);
        END
        $$;

        CREATE FUNCTION buy(buyer bigint) RETURNS bigint
        LANGUAGE plpgsql SET search_path = usual AS $$
        DECLARE
            payment bigint := nextval('number');
            of_entry bigint;
            made bigint;
            moment timestamptz := clock_timestamp();
        BEGIN
            PERFORM 1 FROM account WHERE id IN (-3, -2, -1, buyer) ORDER BY id FOR NO KEY UPDATE;
            INSERT INTO entry (kind, reference, effective_at, recorded_at)
            VALUES ('purchase', 'payment:' || payment, moment, moment) RETURNING id INTO of_entry;
            PERFORM post(-1, of_entry, 100, 'D');
            PERFORM post(buyer, of_entry, 100, 'C');
            PERFORM post(-2, of_entry, 1000, 'D');
            PERFORM post(-3, of_entry, 1000, 'C');
            INSERT INTO purchase (user_id, status, gateway, imp_uid, merchant_uid, product, amount, currency, coins,
                bonus_coins, paid_at, credited_at, entry_id)
            VALUES ('user-' || buyer, 'credited', 'portone-v1', 'imp_' || md5(payment::text), 'order_' || payment,
                'coins_100', 1000, 'KRW', 100, 0, moment, moment, of_entry) RETURNING id INTO made;
            INSERT INTO lot (user_id, kind, coins, remaining, amount, deferred, acquired_at, purchase_id, entry_id)
            VALUES ('user-' || buyer, 'paid', 100, 100, 1000, 1000, moment, made, of_entry);
            RETURN made;
        END
        $$;
        GRANT USAGE ON SCHEMA usual TO PUBLIC;
        GRANT SELECT ON ALL TABLES IN SCHEMA usual TO PUBLIC;
        ANALYZE;
        CHECKPOINT;
        """
    }
}
