import Postgres

/// The conditions of a list of findings by person, user, payment and order.
///
/// Each that is given becomes a condition of its own, because it finds the few ids through an index. A condition that is
/// also true without a value would read all findings.
struct FindingNames {
    /// The SQL conditions, each after `AND`; empty: none is given.
    private(set) var conditions = ""
    private(set) var values = PostgresParameters()
    private let firstParameter: Int

    /// - Parameter firstParameter: the number of the first parameter that the query has left.
    init(_ filter: FindingFilter, firstParameter: Int) {
        self.firstParameter = firstParameter
        if let person = filter.person { add(Self.ofPerson, person) }
        if let user = filter.user { add(Self.ofUser, user.rawValue) }
        if let payment = filter.payment { add(Self.ofPayment, payment) }
        if let order = filter.order { add(Self.ofOrder, order) }
    }

    private mutating func add(_ ids: (String) -> String, _ value: String) {
        conditions += " AND finding.id IN (\(ids("$\(firstParameter + values.count)")))"
        values.append(value)
    }

    /// Those that the person works on, and those that the person resolved, credited or gave back.
    private static func ofPerson(_ person: String) -> String {
        """
        SELECT own.id FROM finding AS own WHERE own.assigned_to = \(person)
        UNION
        SELECT decided.finding_id FROM finding_act AS decided
        WHERE decided.by = \(person) AND decided.act IN ('resolve', 'claim', 'refund')
        """
    }

    /// The user's own, and those of payments that the user claimed, under each id of the user.
    private static func ofUser(_ user: String) -> String {
        // The ids are selected once, and not for each row.
        let names = "ANY(ARRAY(SELECT unnest(\(UserAliases.names(of: "user_behind(\(user))")))))"
        return """
            SELECT own.id FROM finding AS own WHERE own.user_id = \(names)
            UNION
            SELECT claimed.id FROM receipt_retry JOIN finding AS claimed ON \(WaitingReceipt.isClaim(
                gateway: "claimed.gateway", names: "ARRAY[claimed.imp_uid, claimed.payment_id]",
                merchantUID: "claimed.merchant_uid"))
            WHERE receipt_retry.user_id = \(names)
            """
    }

    /// A V2 payment's id is also the name of its order, which has an index.
    private static func ofPayment(_ payment: String) -> String {
        """
        SELECT own.id FROM finding AS own WHERE own.imp_uid = \(payment)
        UNION
        SELECT own.id FROM finding AS own WHERE own.merchant_uid = \(payment) AND own.payment_id = \(payment)
        """
    }

    private static func ofOrder(_ order: String) -> String {
        "SELECT own.id FROM finding AS own WHERE own.merchant_uid = \(order)"
    }
}
