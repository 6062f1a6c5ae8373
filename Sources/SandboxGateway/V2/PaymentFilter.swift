import FoundationEssentials

/// The filter and order of `GET /payments` (PortOne V2 contract, lists).
struct PaymentFilter: Sendable {
    let storeID: String?
    private let byCreation: Bool
    private let from: Date
    private let until: Date
    private let statuses: Set<String>?
    private let methods: Set<String>?
    private let providers: Set<String>?
    private let isTest: Bool?
    private let version: String?
    private let currency: String?
    private let sortsByRequest: Bool
    private let isRising: Bool
    private let texts: [(field: String, value: String)]

    private static let known: Set<String> = [
        "merchantId", "storeId", "timestampType", "from", "until", "status", "methods", "pgProvider", "isTest",
        "sortBy", "sortOrder", "version", "currency", "textSearch", "isScheduled", "isEscrow",
    ]

    init(_ members: V2Members, now: Date) throws(V2Refusal) {
        // Ignoring a filter would return too many payments, so an unknown one is refused.
        if let unknown = members.names.subtracting(Self.known).min() {
            throw .invalid("the sandbox can't filter by \(unknown)")
        }
        storeID = try members.text("storeId")
        let timestamp = try members.choice("timestampType", of: ["CREATED_AT", "STATUS_CHANGED_AT"])
        byCreation = timestamp == "CREATED_AT"
        let until = try members.time("until") ?? now
        self.until = until
        from = try members.time("from") ?? until.addingTimeInterval(-90 * 86_400)
        guard from <= until else { throw .invalid("from is after until") }
        statuses = try members.texts(
            "status",
            of: [
                "READY", "PENDING", "VIRTUAL_ACCOUNT_ISSUED", "PAID", "FAILED", "PARTIAL_CANCELLED", "CANCELLED",
            ])
        methods = try members.texts(
            "methods",
            of: [
                "CARD", "TRANSFER", "VIRTUAL_ACCOUNT", "GIFT_CERTIFICATE", "MOBILE", "EASY_PAY", "CONVENIENCE_STORE",
                "CRYPTO",
            ])
        providers = try members.texts("pgProvider")
        isTest = try members.flag("isTest")
        version = try members.choice("version", of: ["V1", "V2"])
        currency = try members.text("currency")
        sortsByRequest =
            try members.choice("sortBy", of: ["REQUESTED_AT", "STATUS_CHANGED_AT"]) != "STATUS_CHANGED_AT"
        isRising = try members.choice("sortOrder", of: ["ASC", "DESC"]) == "ASC"
        var texts: [(String, String)] = []
        for element in try members.list("textSearch") ?? [] {
            let search = try V2Members(element, "textSearch")
            guard let field = try search.text("field"), let value = try search.text("value") else {
                throw .invalid("textSearch needs field and value")
            }
            guard Self.searchable.contains(field) else { throw .invalid("the sandbox can't search \(field)") }
            texts.append((field, value))
        }
        self.texts = texts
    }

    private static let searchable: Set<String> = ["PAYMENT_ID", "TX_ID", "PG_TX_ID", "ORDER_NAME", "CUSTOMER_EMAIL"]

    func sorted(_ payments: [SandboxPayment]) -> [SandboxPayment] {
        let moment: (SandboxPayment) -> Date = sortsByRequest ? { $0.startedAt } : { $0.listedAt }
        let rising = payments.filter(lists).sorted { (moment($0), $0.sequence) < (moment($1), $1.sequence) }
        return isRising ? rising : rising.reversed()
    }

    private func lists(_ payment: SandboxPayment) -> Bool {
        let moment = byCreation ? payment.startedAt : payment.listedAt
        let status = payment.status == .payPending ? "PENDING" : payment.status.rawValue
        return moment >= from && moment <= until && statuses?.contains(status) ?? true
            && methods.map { $0.contains(payment.v2MethodType ?? "") } ?? true
            && providers?.contains(payment.v2PGProvider) ?? true && isTest ?? payment.isTest == payment.isTest
            && version ?? payment.v2Version == payment.v2Version && currency ?? payment.currency == payment.currency
            && texts.allSatisfy { text(of: payment, $0.field).contains($0.value) }
    }

    private func text(of payment: SandboxPayment, _ field: String) -> String {
        switch field {
        case "PAYMENT_ID": payment.merchantUID
        case "TX_ID": payment.transactionID
        case "PG_TX_ID": payment.pgTxID
        case "ORDER_NAME": payment.draft.text("name") ?? ""
        default: payment.draft.text("buyer_email") ?? ""
        }
    }
}

extension PaymentDraft {
    /// A member that is returned unchanged.
    func text(_ name: String) -> String? {
        if case .string(let text) = details[name] { text } else { nil }
    }
}

extension SandboxPayment {
    /// V2 shows a payment of both APIs as its own.
    var v2Version: String { (draft.home == .v1 ? Version.v1 : .v2).rawValue }
}
