import FoundationEssentials
import SandboxSupport

extension SandboxPayment {
    /// The payment in V1's format, with every key: `0` for a missing time, null or `""` for a text, `[]` for a list
    /// (PortOne V1 contract, payment object).
    var v1Wire: JSONValue {
        var members = Self.nothing
        for known in [method, draft.details, identity, progress] { members.merge(known) { _, later in later } }
        members["billing_key"] = nil
        return .object(members)
    }

    private var identity: [String: JSONValue] {
        [
            "imp_uid": .string(impUID), "merchant_uid": .string(merchantUID), "amount": .number(amount),
            "currency": .string(currency), "pay_method": .string(payMethod), "sandbox": .bool(isTest),
            "custom_data": .text(draft.customData), "pg_tid": .text(wasApproved ? pgTxID : nil),
        ]
    }

    private var progress: [String: JSONValue] {
        let last = executed.last
        return [
            "status": .string(v1Status.rawValue), "started_at": .time(startedAt), "paid_at": .time(paidAt),
            "failed_at": .time(failedAt), "cancelled_at": .time(last?.cancelledAt), "fail_reason": .text(failReason),
            "cancel_reason": .text(last?.reason), "cancel_amount": .number(cancelledAmount),
            "cancel_history": .array(executed.map(wire)),
            "receipt_url": .text(wasApproved ? "https://sandbox.invalid/receipt/" + impUID : nil),
        ]
    }

    private func wire(_ cancellation: Cancellation) -> JSONValue {
        .object([
            "amount": .number(cancellation.amount), "cancellation_id": .string(cancellation.id),
            "cancelled_at": .time(cancellation.cancelledAt), "pg_tid": .string(pgTxID),
            "reason": .string(cancellation.reason), "receipt_url": .null,
        ])
    }

    /// Members of some payment methods.
    private var method: [String: JSONValue] {
        switch payMethod {
        case "card": card
        case "vbank": virtualAccount
        default: ["apply_num": .string("")]
        }
    }

    private var card: [String: JSONValue] {
        [
            "apply_num": .text(wasApproved ? "30046339" : nil), "card_code": .string("366"),
            "card_name": .string("신한카드"), "card_number": .string("559410*********4"), "card_type": .int(0),
        ]
    }

    private var virtualAccount: [String: JSONValue] {
        [
            "apply_num": .string(""), "vbank_code": .string("004"), "vbank_name": .string("KB국민은행"),
            "vbank_num": .string(accountNumber), "vbank_issued_at": .time(startedAt),
            "vbank_date": .time(accountDue),
        ]
    }

    /// All keys, with empty values.
    private static let nothing: [String: JSONValue] = {
        let texts = [
            "apply_num", "bank_code", "bank_name", "buyer_addr", "buyer_email", "buyer_name", "buyer_postcode",
            "buyer_tel",
            "card_code", "card_issuer_code", "card_issuer_name", "card_name", "card_number", "card_publisher_code",
            "card_publisher_name", "card_type", "customer_uid", "customer_uid_usage", "emb_pg_provider", "name",
            "promotion",
            "vbank_code", "vbank_holder", "vbank_name", "vbank_num",
        ]
        var members = Dictionary(uniqueKeysWithValues: texts.map { ($0, JSONValue.null) })
        for name in ["card_quota", "vbank_date", "vbank_issued_at"] { members[name] = .int(0) }
        for name in ["cancel_receipt_urls", "deposit_history"] { members[name] = .array([]) }
        for name in ["cash_receipt_issued", "escrow"] { members[name] = .bool(false) }
        members["channel"] = .string("mobile")
        members["pg_id"] = .string("INIpayTest")
        members["pg_provider"] = .string("html5_inicis")
        members["user_agent"] = .string("sorry_not_supported_anymore")
        return members
    }()
}

extension JSONValue {
    /// A time in Unix seconds, or V1's `0` for none.
    static func time(_ date: Date?) -> JSONValue { .int(Int(date?.timeIntervalSince1970 ?? 0)) }
}
