import FoundationEssentials
import SandboxSupport

extension SandboxPayment {
    /// The method type in V2's filter; nil if unknown.
    var v2MethodType: String? {
        switch payMethod {
        case "card": "CARD"
        case "vbank": "VIRTUAL_ACCOUNT"
        case "trans": "TRANSFER"
        case "phone": "MOBILE"
        case "cultureland", "smartculture", "culturegift", "booknlife": "GIFT_CERTIFICATE"
        default: Self.easyPay[payMethod] == nil ? nil : "EASY_PAY"
        }
    }

    /// The payment method in V2's format; nil if unknown to V2.
    var v2Method: JSONValue? {
        switch v2MethodType {
        case "CARD": card
        case "VIRTUAL_ACCOUNT": account
        case "TRANSFER": .object(["type": .string("PaymentMethodTransfer"), "bank": .string("KOOKMIN")])
        case "MOBILE": .object(["type": .string("PaymentMethodMobile"), "phoneNumber": .string("010****1234")])
        case "GIFT_CERTIFICATE":
            .object(["type": .string("PaymentMethodGiftCertificate"), "approvalNumber": .string("30046339")])
        case "EASY_PAY":
            .object([
                "type": .string("PaymentMethodEasyPay"), "provider": .string(Self.easyPay[payMethod] ?? ""),
            ])
        default: nil
        }
    }

    private static let easyPay = [
        "kakaopay": "KAKAOPAY", "naverpay": "NAVERPAY", "payco": "PAYCO", "tosspay": "TOSSPAY",
        "applepay": "APPLEPAY", "samsung": "SAMSUNGPAY", "paypal": "PAYPAL", "lpay": "LPAY", "ssgpay": "SSGPAY",
    ]

    private var card: JSONValue {
        var members: [String: JSONValue] = [
            "type": .string("PaymentMethodCard"),
            "card": .object([
                "issuer": .string("SHINHAN_CARD"), "publisher": .string("SHINHAN_CARD"), "brand": .string("LOCAL"),
                "type": .string("CREDIT"), "ownerType": .string("PERSONAL"), "bin": .string("559410"),
                "name": .string("신한카드"), "number": .string("559410******1234"),
            ]),
            "installment": .object(["month": .int(0), "isInterestFree": .bool(false)]),
        ]
        if wasApproved { members["approvalNumber"] = .string("30046339") }
        return .object(members)
    }

    private var account: JSONValue {
        .object([
            "type": .string("PaymentMethodVirtualAccount"), "bank": .string("KOOKMIN"),
            "accountNumber": .string(accountNumber), "accountType": .string("NORMAL"),
            "issuedAt": RFC3339Time.seconds(startedAt), "expiredAt": RFC3339Time.seconds(accountDue),
        ])
    }

    /// The payment company, with V2's name.
    var v2PGProvider: String {
        guard case .string(let name) = draft.details["pg_provider"] else { return "HTML5_INICIS" }
        let upper = name.uppercased()
        return Self.providers.contains(upper) ? upper : "INICIS_V2"
    }

    private static let providers: Set<String> = [
        "HTML5_INICIS", "PAYPAL", "PAYPAL_V2", "INICIS", "DANAL", "NICE", "DANAL_TPAY", "UPLUS", "NAVERPAY", "KAKAO",
        "SETTLE", "KCP", "MOBILIANS", "KAKAOPAY", "KICC", "EXIMBAY", "SMILEPAY", "PAYCO", "KCP_BILLING", "SMARTRO",
        "SMARTRO_V2", "PAYMENTWALL", "TOSSPAYMENTS", "KCP_QUICK", "DAOU", "GALAXIA", "TOSSPAY", "KSNET", "NICE_V2",
        "TOSS_BRANDPAY", "WELCOME", "TOSSPAY_V2", "INICIS_V2", "KPN", "KCP_V2", "HYPHEN", "EXIMBAY_V2", "KICC_V2",
    ]
}
