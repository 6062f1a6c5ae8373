import Postgres

/// What former ids of users refer to, of the users that were asked for.
struct UserAliases: Sendable {
    private var users: [UserID: UserID] = [:]
    private var formers: [UserID: [UserID]] = [:]

    /// The user that a former id refers to; nil: the id is no former one.
    subscript(id: UserID) -> UserID? { users[id] }

    /// The other ids under which a user may have asked for something: the former ones, or what a former one refers to.
    func otherNames(of user: UserID) -> [UserID] { users[user].map { [$0] } ?? formers[user] ?? [] }

    mutating func add(former: UserID, user: UserID) {
        users[former] = user
        formers[user, default: []].append(former)
    }
}

extension UserAliases {
    /// The aliases that have one of these ids.
    static func among(_ users: [UserID]) -> PostgresQuery<[(former: UserID, user: UserID)]> {
        PostgresQuery(
            """
            SELECT former, user_id FROM user_alias WHERE former = ANY($1)
            UNION ALL
            SELECT former, user_id FROM user_alias WHERE user_id = ANY($1)
            """, [users.map(\.rawValue)]
        ) { row in (former: try row[0], user: try row[1]) }
    }

    /// The ids that were merged into the user's, the last merge first.
    static func formers(of user: UserID) -> PostgresQuery<[UserID]> {
        PostgresQuery(
            """
            SELECT former FROM user_alias JOIN user_merge USING (former)
            WHERE user_alias.user_id = $1 ORDER BY merged_at DESC, former
            """, [user.rawValue]
        ) { row in try row[0] }
    }

    /// All ids of the user that an id refers to.
    static func names(behind id: UserID) -> PostgresQuery<[String]> {
        PostgresQuery(
            """
            SELECT name FROM (SELECT user_behind($1) AS id) AS present
            CROSS JOIN LATERAL unnest(\(names(of: "present.id"))) AS called (name)
            """, [id.rawValue]
        ) { row in try row[0] }
    }

    /// SQL of all ids of a user: an array of the id and its former ones.
    static func names(of user: String) -> String {
        "(ARRAY(SELECT former FROM user_alias WHERE user_alias.user_id = \(user)) || \(user))"
    }

    /// SQL of whether an entry is of another stripe than a row of its user has, and not of one that the user had before a merge.
    ///
    /// A lot that was used up keeps the id of then, which may be a former one itself by now.
    static func differ(_ stripe: String, from row: String) -> String {
        """
        (\(stripe) <> \(row).stripe AND NOT EXISTS (
            SELECT FROM user_alias AS other
            WHERE other.user_id = \(now("\(row).user_id")) AND other.former_stripe = \(stripe)))
        """
    }

    /// SQL of each id that a former id has ever referred to, of a recursive query called `merged`.
    static let steps = """
        SELECT former, former_stripe, user_id, stripe FROM user_merge
        UNION
        SELECT merged.former, merged.former_stripe, next.user_id, next.stripe
        FROM merged JOIN user_merge AS next ON next.former = merged.user_id
        """

    /// SQL of the part of the books in which sums of accounts and of what they are of must be equal: a stripe, or all of them if
    /// a merge has moved something from one to another.
    static let part =
        "CASE WHEN EXISTS (SELECT FROM user_alias AS alias WHERE alias.former_stripe <> alias.stripe) THEN 0 ELSE stripe END"

    /// SQL of the id that an id refers to now.
    ///
    /// - Parameter column: a column with its table, so that nothing else has the name.
    static func now(_ column: String) -> String {
        "coalesce((SELECT alias.user_id FROM user_alias AS alias WHERE alias.former = \(column)), \(column))"
    }
}
