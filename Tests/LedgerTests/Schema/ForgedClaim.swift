/// What a service may claim of a purchase that can't be true, or that contradicts the books: the functions that credit
/// purchases have nothing to compare a claim with, so they must refuse each by its value.
struct ForgedClaim: Sendable {
    let name: String
    /// The arguments that differ from those of a purchase by ann, by their names, as SQL.
    let changes: [String: String]

    init(_ name: String, _ changes: [String: String]) {
        self.name = name
        self.changes = changes
    }

    /// The calls of both functions.
    var calls: [String] { [Self.call(changes), Self.callForMany([changes])] }

    /// A purchase of 100 coins for ₩1,000 by ann, or by who is named.
    static func call(_ changes: [String: String] = [:]) -> String {
        let values = arguments.map { "(\(changes[$0.name] ?? $0.value))::\($0.type)" }
        return "SELECT paid FROM credit_purchase(\(values.joined(separator: ", ")));"
    }

    /// The same of several purchases in one call.
    static func callForMany(_ changes: [[String: String]]) -> String {
        let values = arguments.map { argument in
            let elements = changes.map { $0[argument.name] ?? argument.value }
            return "ARRAY[\(elements.joined(separator: ", "))]::\(argument.type)[]"
        }
        return "SELECT paid FROM credit_purchases(\(values.joined(separator: ", ")));"
    }

    private static let stripe = "(SELECT stripe FROM account WHERE code = 'wallet:ann:paid')"

    private static let arguments: [(name: String, type: String, value: String)] = [
        ("act", "int8", "8000000000000000"), ("stripe", "int8", stripe), ("user", "text", "'ann'"),
        ("gateway", "text", "'portone-v1'"), ("payment", "text", "'forged'"), ("order", "text", "'forged'"),
        ("merchant payment", "text", "NULL"), ("product", "text", "'p'"), ("won", "int8", "1000"),
        ("coins", "int8", "100"), ("bonus", "int8", "0"), ("time", "timestamptz", "now()"),
        ("expiry", "timestamptz", "NULL"), ("bonus expiry", "timestamptz", "NULL"), ("rule", "text", "NULL"),
        ("tax-free", "int8", "NULL"),
    ]

    static let all = [
        // Without the check of the stripe, the entry had the wallet's posting alone.
        ForgedClaim("a stripe that does not exist", ["stripe": "99"]),
        ForgedClaim("a stripe that does not exist, of a new user", ["stripe": "-1", "user": "'zed'"]),
        ForgedClaim("no stripe", ["stripe": "NULL"]),
        ForgedClaim("another stripe than the wallet's", ["stripe": "(\(stripe) + 1) % 4"]),
        ForgedClaim("no user", ["user": "NULL"]), ForgedClaim("no gateway", ["gateway": "NULL"]),
        ForgedClaim("no payment", ["payment": "NULL"]), ForgedClaim("no order", ["order": "NULL"]),
        ForgedClaim("no product", ["product": "NULL"]), ForgedClaim("no won", ["won": "0"]),
        ForgedClaim("won below zero", ["won": "-1000"]),
        ForgedClaim("won below zero, with VAT", ["won": "-1000", "rule": "'at_sale'"]),
        ForgedClaim("won that are not told", ["won": "NULL"]), ForgedClaim("no coins", ["coins": "0"]),
        ForgedClaim("coins below zero", ["coins": "-5"]),
        ForgedClaim("coins below zero, of a new user", ["coins": "-5", "user": "'zed'"]),
        ForgedClaim("coins that are not told", ["coins": "NULL"]),
        ForgedClaim("more coins than there can be", ["coins": "9223372036854775807"]),
        ForgedClaim("a bonus below zero", ["bonus": "-5"]), ForgedClaim("a bonus that is not told", ["bonus": "NULL"]),
        ForgedClaim("no time", ["time": "NULL"]), ForgedClaim("a rule of VAT that is none", ["rule": "'free'"]),
        ForgedClaim("more free of tax than was paid", ["tax-free": "1001"]),
        ForgedClaim("no ids", ["act": "NULL"]), ForgedClaim("ids that no number has", ["act": "9223372036854775807"]),
        ForgedClaim("the ids of another purchase", ["act": "(SELECT min(id) FROM purchase)"]),
        ForgedClaim("a payment that is credited", ["payment": "'imp_1'"]),
        ForgedClaim("an order that is credited", ["order": "'order_1'"]),
    ]

    /// Calls whose purchases contradict each other, by what is wrong.
    static let ofSeveral: [(name: String, call: String)] = [
        ("one payment twice", callForMany([[:], second(["payment": "'forged'"])])),
        ("one order twice", callForMany([[:], second(["order": "'forged'"])])),
        ("the same ids twice", callForMany([[:], second(["act": "8000000000000000"])])),
        (
            "a new user in two stripes",
            callForMany([["user": "'zed'", "stripe": "0"], second(["user": "'zed'", "stripe": "1"])])
        ),
        (
            "coins that are less than nothing in one, and enough in all",
            callForMany([["coins": "-5"], second(["coins": "500"])])
        ),
        (
            "a bonus that is less than nothing in one, and enough in all",
            callForMany([["bonus": "-5"], second(["bonus": "500"])])
        ),
        (
            "more coins than there can be in all",
            callForMany([["coins": "9000000000000000000"], second(["coins": "9000000000000000000"])])
        ),
        (
            "fewer stripes than payments",
            callForMany([[:], second([:])]).replacing("ARRAY[\(stripe), \(stripe)]", with: "ARRAY[\(stripe)]")
        ),
        (
            "more stripes than payments",
            callForMany([[:]]).replacing("ARRAY[\(stripe)]", with: "ARRAY[\(stripe), \(stripe)]")
        ),
        (
            "more tax-free parts than payments",
            callForMany([[:]]).replacing("ARRAY[NULL]::int8[])", with: "ARRAY[1, 1]::int8[])")
        ),
        ("no array of bonuses", callForMany([[:]]).replacing("ARRAY[0]::int8[]", with: "NULL::int8[]")),
    ]

    private static func second(_ changes: [String: String]) -> [String: String] {
        ["act": "8000000000000010", "payment": "'forged-2'", "order": "'forged-2'"].merging(changes) { $1 }
    }

    /// Facts of the service's own on the entry that ``call(_:)`` made in the same transaction.
    static let additions: [(name: String, sql: String)] = [
        ("postings", post("coins:promotions", 5)),
        ("a lot", lot),
        (
            "a purchase",
            """
            INSERT INTO purchase (id, stripe, user_id, status, gateway, imp_uid, merchant_uid, product, amount, currency, coins,
                bonus_coins, paid_at, credited_at, journal_entry_id)
            SELECT 900001, stripe, user_id, 'credited', gateway, 'more', 'more', 'p', 1000, 'KRW', 100, 0, paid_at,
                credited_at, journal_entry_id
            FROM purchase WHERE imp_uid = 'forged';
            """
        ),
        (
            "another entry of the purchase",
            """
            INSERT INTO journal_entry (id, stripe, kind, reference, effective_at, recorded_at)
            SELECT 900002, stripe, kind, reference, effective_at, recorded_at FROM journal_entry
            WHERE id = 8000000000000001;
            """
        ),
        (
            "an entry of its own, whose postings and lot are the function's entry's",
            """
            INSERT INTO journal_entry (id, stripe, kind, reference, effective_at, recorded_at)
            SELECT 900002, stripe, 'grant', 'lot:900003', now(), clock_timestamp() FROM journal_entry
            WHERE id = 8000000000000001;
            """ + post("coins:promotions", 5) + lot
        ),
        (
            "a movement of the lot",
            """
            INSERT INTO lot_movement (
                lot_id, seq, stripe, journal_entry_id, remaining, held, deferred, expired, breakage, recorded_at)
            SELECT id, 1, stripe, journal_entry_id, remaining - 5, 0, deferred, 0, 0, acquired_at FROM lot
            WHERE id = 8000000000000002;
            """
        ),
    ]

    private static let lot = """
        INSERT INTO lot (id, stripe, user_id, kind, coins, remaining, amount, deferred, currency, acquired_at,
            journal_entry_id)
        SELECT 900003, stripe, 'ann', 'bonus', 5, 5, 0, 0, 'KRW', now(), id FROM journal_entry
        WHERE id = 8000000000000001;
        """

    private static func post(_ account: String, _ coins: Int) -> String {
        """
        INSERT INTO posting (account_id, seq, journal_entry_id, stripe, amount, balance, currency, side)
        SELECT id, seq + 1, 8000000000000001, stripe, \(coins), balance + \(coins), currency, side
        FROM (VALUES ('\(account)/' || \(stripe), 'D'), ('wallet:ann:paid', 'C')) AS line (code, side)
        JOIN account USING (code);
        """
    }
}
