extension Operation {
    /// A parameter of the path, the query or the header.
    struct Parameter: Sendable {
        let name: String
        let place: Place
        /// What it is, as a phrase.
        let description: String
        let value: Value
        var isRequired = false
        var example: OrderedJSON?
        /// Its name among those that many operations have; nil: it belongs to one operation.
        var sharedName: String?
        /// Whether a request needs it or another one instead, which OpenAPI can't say.
        var isOneOf = false

        enum Place: String, Sendable {
            case path, query, header
        }

        static func query(
            _ name: String, _ value: Value, _ description: String, example: OrderedJSON? = nil,
            isRequired: Bool = false, isOneOf: Bool = false
        ) -> Parameter {
            Parameter(
                name: name, place: .query, description: description, value: value, isRequired: isRequired,
                example: example, isOneOf: isOneOf)
        }

        static func path(_ name: String, _ value: Value, _ description: String, example: OrderedJSON) -> Parameter {
            Parameter(
                name: name, place: .path, description: description, value: value, isRequired: true, example: example)
        }

        static func header(
            _ name: String, _ value: Value, _ description: String, example: OrderedJSON? = nil,
            isRequired: Bool = false
        ) -> Parameter {
            Parameter(
                name: name, place: .header, description: description, value: value, isRequired: isRequired,
                example: example)
        }

        /// The same, under a name that many operations refer to.
        fileprivate func shared(_ name: String) -> Parameter {
            var parameter = self
            parameter.sharedName = name
            return parameter
        }
    }
}

// MARK: - Parameters of many operations

extension Operation.Parameter {
    static let adjustment = path("id", .id, "the id of the adjustment", example: 4200).shared("adjustment")
    static let payout = path("id", .id, "the id of the payout", example: 12).shared("payout")
    static let endpoint = path("id", .id, "the id of the endpoint", example: 1).shared("endpoint")
    static let campaign = path("id", .id, "the id of the campaign", example: 3).shared("campaign")
    static let dispute = path("id", .id, "the id of the dispute", example: 4711).shared("dispute")
    static let refundQuestion = path("id", .id, "the id of the question", example: 31)
    static let finding = path("id", .id, "the id of the finding", example: 81).shared("finding")
    static let user = path("user", .owner, "the id of the user, percent-encoded", example: "ann").shared("user")
    static let provider = path(
        "provider", .owner, "the id of the provider, percent-encoded", example: "designer-3"
    ).shared("provider")
    static let order = path("id", .id, "the id of the order", example: 7).shared("order")
    static let purchase = path("id", .id, "the id of the purchase", example: 4097).shared("purchase")
    static let hold = path("id", .id, "the id of the hold", example: 6001).shared("hold")
    static let grant = path(
        "id", .id, "the grant: `grant.journal_entry_id` of its response", example: 4118
    ).shared("grant")
    static let spend = path(
        "id", .id, "the spend: `spend.journal_entry_id` of its response", example: 4120
    ).shared("spend")
    static let capture = path(
        "capture", .id, "the capture: `capture.journal_entry_id` of its response", example: 4121
    ).shared("capture")
    static let refund = path("id", .id, "the id of the refund", example: 4711).shared("refund")
    static let reconciliation = path("id", .id, "the id of the run", example: 7).shared("reconciliation")
    static let seal = path("id", .id, "the id of the seal", example: 1).shared("seal")
    static let forgetting = path("id", .id, "the id of the request", example: 4)
    static let settlement = path("id", .id, "the id of the settlement file", example: 3).shared("settlement")

    static let from = query(
        "from", .text,
        """
        only items at this moment or later: an RFC 3339 time, or a date, which means its first moment in the service's \
        time zone
        """
    ).shared("from")
    static let to = query(
        "to", .text,
        """
        only items before this moment: an RFC 3339 time, or a date, which means its first moment in the service's time \
        zone
        """
    ).shared("to")
    static let limit = query("limit", .count(1...100, default: 20), "the maximum number of items").shared("limit")
    static let cursor = query(
        "cursor", .text, "`next_cursor` of the previous page; opaque, valid only with the same list and filters"
    ).shared("cursor")
    static let ifNoneMatch = header(
        "If-None-Match", .text, "the `ETag` of the caller's copy: 304 if the response is unchanged (RFC 9110, 13.1.2)"
    ).shared("ifNoneMatch")
    static let key = key(isRequired: true).shared("key")
    static let keyIfAny = key(isRequired: false).shared("keyIfAny")

    private static func key(isRequired: Bool) -> Self {
        header(
            "Idempotency-Key", .text(1...255, pattern: "^[ -~]+$"),
            """
            the caller's key for this write: printable ASCII. A repeat with the same key returns the first response \
            and has no further effect
            """, example: "order-17", isRequired: isRequired)
    }

    /// All of them, in the document's order.
    static let shared: [Self] = [
        adjustment, payout, endpoint, campaign, dispute, finding, user, provider, order, purchase, hold, grant, spend,
        capture, refund, ifNoneMatch, limit, from, to, cursor, key, keyIfAny, reconciliation, seal, settlement,
    ]
}
