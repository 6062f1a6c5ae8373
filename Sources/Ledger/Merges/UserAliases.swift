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

    /// SQL of all ids of a user: an array of the id and its former ones.
    static func names(of user: String) -> String {
        "(ARRAY(SELECT former FROM user_alias WHERE user_alias.user_id = \(user)) || \(user))"
    }

    /// SQL of the id that an id refers to now.
    ///
    /// - Parameter column: a column with its table, so that nothing else has the name.
    static func now(_ column: String) -> String {
        "coalesce((SELECT alias.user_id FROM user_alias AS alias WHERE alias.former = \(column)), \(column))"
    }
}
