/// The name of a body's schema in docs/openapi.json; a name is public and stays.
///
/// It is the type's name without `Body`, and `…sPage` for a list, but for the names below.
enum SchemaName {
    /// The name of a type's schema: `DebtWriteOffBody.self` is `DebtWriteOff`, `ListBody<LotBody>.self` is `LotsPage`.
    static func of(_ type: Any.Type) -> String { of(declared: String(reflecting: type)) }

    /// The reference to a type's schema.
    static func reference(to type: Any.Type) -> String { "#/components/schemas/\(of(type))" }

    /// The name of the schema of a type as it is declared, such as `PayoutBody.Decision`.
    static func of(declared type: String) -> String {
        if let item = type.wholeMatch(of: /(?:\w+\.)?ListBody<(.+)>/)?.1 {
            return pages[of(declared: String(item))] ?? of(declared: String(item)) + "sPage"
        }
        let name = type.replacing(/^(LedgerWire|LedgerServer)\./, with: "")
        return special[name] ?? (name.hasSuffix("Body") ? String(name.dropLast(4)) : name)
    }

    /// Whether a structure has a schema of its own: a nested one is written where it is a member, if it has no name below.
    static func isListed(_ type: String) -> Bool { !type.contains(".") || special[type] != nil }

    /// The names of types that are not what their name says.
    private static let special = [
        "AuditBody": "AuditRecord",
        "ClosedPeriodBody": "Period",
        "DailyFiguresBody.Day": "DayFigures",
        "EndpointChangeRequest": "EndpointChange", "EndpointChangeRequestBody": "EndpointChange",
        "EventPageBody": "EventsPage",
        "JournalEntryBody.Line": "EntryPosting",
        "LiveBody.Gateway": "GatewayState",
        "PayoutBody.Decision": "PayoutDecision",
        "PayoutBody.Payment": "PayoutPayment",
        "RedemptionBody": "Act",
        "RefundPaymentBody": "RefundPaymentRequest",
        "RefundReversalBody": "RefundReversalRequest",
        "SalesBody.Sale": "ProductSales",
        "SearchMatchBody": "Match",
        "StatementEntryBody.MovementBody": "Movement",
    ]

    /// The names of pages by the schema of their items.
    private static let pages = [
        "AccountingPolicy": "AccountingPoliciesPage",
        "AuditRecord": "AuditPage",
        "Delivery": "DeliveriesPage",
        "LotUse": "EventLotsPage",
        "Match": "Matches",
        "Outstanding": "OutstandingPage",
        "ProviderStatementLine": "ProviderStatementPage",
        "ProviderTerms": "ProviderTermsPage",
        "SettlementRow": "RowsPage",
        "StatementEntry": "EntriesPage",
        "StoredReceipt": "ReceiptsPage",
        "TimelineItem": "TimelinePage",
    ]
}
