import FoundationEssentials
import SandboxSupport

/// The parameters of the payment window, with V1's or V2's names.
struct CheckoutOrder: Sendable {
    /// The members of the payment, in the format of the control API.
    private let members: [String: JSONValue]
    let version: SandboxPayment.Version
    let redirectURL: String?
    /// All fields of the shop, sent again with the buyer's choice.
    let fields: [(name: String, value: String)]

    /// V2's names of the same fields.
    private static let aliases = [
        "payment_id": "merchant_uid", "paymentId": "merchant_uid", "totalAmount": "amount", "orderName": "name",
        "redirectUrl": "redirect_url", "m_redirect_url": "redirect_url", "noticeUrl": "notice_url",
        "storeId": "store_id", "customData": "custom_data",
    ]
    private static let texts: Set<String> = [
        "merchant_uid", "currency", "name", "notice_url", "store_id", "custom_data", "buyer_name", "buyer_email",
        "buyer_tel",
    ]

    /// Reads the parameters of an order that was registered in the API `registered`, or wasn't.
    ///
    /// The payment's API is that of `version`, otherwise the one where the order is registered, otherwise the one whose
    /// names the shop used.
    init(_ query: FormPairs, registered: SandboxPayment.Version?) throws(ControlError) {
        var given: [String: String] = [:]
        for pair in query.pairs where !pair.value.isEmpty { given[Self.aliases[pair.name] ?? pair.name] = pair.value }
        if let text = given["version"] {
            guard let version = SandboxPayment.Version(rawValue: text) else {
                throw ControlError(.badRequest, "version", "must be V1 or V2")
            }
            self.version = version
        } else {
            let hasV2Names = ["totalAmount", "paymentId", "payment_id"].contains { query[$0] != nil }
            version = registered ?? (hasV2Names ? .v2 : .v1)
        }
        redirectURL = try given["redirect_url"].map(RedirectURL.checked)
        guard let text = given["amount"], let amount = Decimal.exactly(text) else {
            throw ControlError(.badRequest, "amount", "must be a number")
        }
        var members: [String: JSONValue] = [
            "version": .string(version.rawValue), "amount": .number(amount),
            "sandbox": .bool(given["test"] == "true"),
        ]
        // V2's amounts are in the smallest unit, in totalAmount.
        if query["totalAmount"] != nil {
            guard amount.hasAtMost(0) else { throw ControlError(.badRequest, "totalAmount", "must be an integer") }
            members["amount"] = .number(
                Decimal(minorUnits: Int(amount.description) ?? 0, of: given["currency"] ?? "KRW"))
        }
        // The window sends the order back with V1's names, which must not change its version.
        given["version"] = version.rawValue
        if case .number(let amount) = members["amount"] { given["amount"] = amount.description }
        fields = given.filter { !["outcome", "pay_method"].contains($0.key) }
            .map { (name: $0.key, value: $0.value) }.sorted { $0.name < $1.name }
        for name in Self.texts { members[name] = given[name].map(JSONValue.string) }
        self.members = members
    }

    /// The order id in the parameters.
    static func merchantUID(_ query: FormPairs) -> String? {
        query.pairs.last { (aliases[$0.name] ?? $0.name) == "merchant_uid" && !$0.value.isEmpty }?.value
    }

    /// The payment of the buyer's choice.
    func draft(payMethod: String, outcome: CheckoutOutcome) throws(ControlError) -> PaymentDraft {
        var members = members
        members["pay_method"] = .string(payMethod)
        members["status"] = .string(outcome == .pay ? (payMethod == "vbank" ? "ready" : "paid") : "failed")
        members["fail_reason"] = outcome.failReason.map(JSONValue.string)
        return try PaymentDraft(.object(members))
    }
}

/// The buyer's action in the window.
enum CheckoutOutcome: String, Sendable {
    case pay
    case fail
    case cancel

    var failReason: String? {
        switch self {
        case .pay: nil
        case .fail: "카드 한도 초과"
        case .cancel: "사용자가 결제를 취소하였습니다."
        }
    }
}

/// The shop's redirect URL.
enum RedirectURL {
    /// - Throws: ``ControlError`` if it isn't an `http` or `https` URL with a host.
    static func checked(_ text: String) throws(ControlError) -> String {
        let isPlain = text.utf8.allSatisfy { (0x21..<0x7f).contains($0) }
        guard isPlain, let url = URL(string: text), ["http", "https"].contains(url.scheme?.lowercased()),
            let host = url.host(), !host.isEmpty
        else {
            throw ControlError(.badRequest, "redirect_url", "must be an http or https URL with a host")
        }
        return text
    }

    /// `url` with the result of the window in its query, as PortOne adds it (V1 and V2 contracts, client receipt).
    static func with(_ answer: [(String, String)], _ url: String) -> String {
        let parts = url.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let query = answer.map { $0.0 + "=" + PercentEncoding.encode($0.1) }.joined(separator: "&")
        let separator = !parts[0].contains("?") ? "?" : parts[0].last == "?" || parts[0].last == "&" ? "" : "&"
        return parts[0] + separator + query + (parts.count > 1 ? "#" + parts[1] : "")
    }

    /// The window's result for a payment; an unpaid virtual account is a success.
    static func answer(_ payment: SandboxPayment, _ version: SandboxPayment.Version) -> [(String, String)] {
        let failure = payment.status == .failed ? payment.failReason ?? "" : nil
        switch version {
        case .v1:
            let names = [("imp_uid", payment.impUID), ("merchant_uid", payment.merchantUID)]
            guard let failure else { return names + [("imp_success", "true")] }
            return names + [("imp_success", "false"), ("error_code", "F0001"), ("error_msg", failure)]
        case .v2:
            let names = [
                ("transactionType", "PAYMENT"), ("paymentId", payment.merchantUID), ("txId", payment.transactionID),
            ]
            guard let failure else { return names }
            return names + [
                ("code", "FAILURE_TYPE_PG"), ("message", failure), ("pgCode", "9999"), ("pgMessage", failure),
            ]
        }
    }
}
