import CivilTime
import Ledger
import LedgerWire
import PGVerifier
import WireFormats

/// The request of a receipt: the members of each gateway's receipts.
struct ReceiptRequestBody: Decodable {
    let impUID: NonEmpty?
    let merchantUID: NonEmpty?
    let paymentID: NonEmpty?
    let appStore: AppStoreReceiptRequestBody?
    let googlePlay: GooglePlayReceiptRequestBody?

    typealias CodingKeys = ReceiptRequest.CodingKeys

    /// The receipt, if its members are valid ids.
    ///
    /// If a client sends the members of several gateways, the receipt is the first one's that is configured, otherwise
    /// the last one's.
    func receipt(isOn: (Receipt) -> Bool) throws(Problem) -> Receipt {
        var off: Receipt?
        for gateway in GatewayConfiguration.known {
            do throws(MalformedIdentifier) {
                guard let receipt = try gateway.receipt(in: self) else { continue }
                if isOn(receipt) { return receipt }
                off = receipt
            } catch {
                throw Problem(error, in: gateway.receiptMember)
            }
        }
        guard let off else { throw .missingMember(impUID == nil ? "/imp_uid" : "/merchant_uid") }
        return off
    }
}

/// The receipt of a purchase in the App Store.
struct AppStoreReceiptRequestBody: Decodable {
    let signedTransaction: SignedText?
    let transactionID: NonEmpty?

    typealias CodingKeys = AppStoreReceiptRequest.CodingKeys
}

/// The receipt of a purchase in Google Play.
struct GooglePlayReceiptRequestBody: Decodable {
    let purchaseToken: SignedText

    typealias CodingKeys = GooglePlayReceiptRequest.CodingKeys
}

/// What a store made for the client, such as signed data or a token: a text of ASCII without spaces.
struct SignedText: Decodable {
    /// More than any gateway signs: three certificates and a payload are about 5 kB.
    static let maxLength = 16 << 10

    let value: String

    init(from decoder: any Decoder) throws {
        value = try decoder.singleValueContainer().decode(String.self)
        let pointer = JSONPointer(decoder.codingPath).text
        guard SecretTexts.plain(value) != nil, value.utf8.count <= Self.maxLength else {
            throw Problem.invalid(
                pointer: pointer, "\(pointer) must have 1 to \(Self.maxLength) ASCII characters without spaces")
        }
    }
}

extension Problem {
    /// Why signed data is not the gateway's word about a payment of ours.
    init(_ error: SignedDataError) {
        switch error.code {
        case .malformed, .badSignature, .signedLater, .revoked: self.init(.receiptSignatureInvalid, error.message)
        case .anotherApp: self.init(.appMismatch, error.message)
        case .anotherEnvironment: self.init(.environmentMismatch, error.message)
        case .revocationUnknown: self.init(.gatewayUnavailable, error.message)
        }
    }

    /// A member of a receipt is not a valid id of the gateway.
    ///
    /// - Parameter member: the member of the body that has it; nil: the body itself.
    init(_ error: MalformedIdentifier, in member: ReceiptRequest.CodingKeys? = nil) {
        let path = member.map { "/\($0.rawValue)/" } ?? "/"
        self = .invalid(pointer: path + error.field, "\(path)\(error)")
    }
}

extension Problem.Code {
    /// The code of a refused receipt: the name under which it is kept.
    init(_ refusal: CreditRefusal) { self.init(named: refusal.name) }
}

extension Problem {
    /// The problem of a refused receipt; its owner is told which payment credited the order.
    package init(_ refusal: CreditRefusal) {
        let code = Code(refusal)
        switch refusal {
        case .orderAlreadyCredited(let purchase?), .merchantUIDAlreadyCredited(let purchase?):
            let (payment, creditedAt) = (purchase.payment, RFC3339.string(from: purchase.creditedAt))
            self.init(
                code,
                "the payment \(payment.paymentID) was credited at \(creditedAt); ask for a refund of the one in this receipt",
                members: [
                    "credited_gateway": .string(payment.gateway), "credited_imp_uid": .string(payment.paymentID),
                    "credited_at": .string(creditedAt),
                ])
        default: self.init(code)
        }
    }
}

extension ReceiptBody {
    init(_ credited: Credited) {
        self.init(purchase: PurchaseBody(credited.purchase), balance: BalanceBody(credited.balance))
    }

    init(_ free: FreeCredit) {
        self.init(
            purchase: nil, balance: BalanceBody(free.balance),
            free: FreePurchaseBody(grantID: free.grantID, coins: free.coins, expiresAt: free.expiresAt))
    }

    init(_ trial: StoreTrial) {
        self.init(
            purchase: nil, balance: BalanceBody(trial.balance),
            trial: StoreTrialBody(coins: trial.coins, expiresAt: trial.expiresAt))
    }
}

extension WaitingReceiptBody {
    /// - Parameter isKept: whether ledgerd asks again without being asked.
    init(_ reason: WaitReason, isKept: Bool) {
        let (fact, promise) =
            switch reason {
            case .awaitingPayment: ("the payment is not paid yet", "the coins are credited when it is")
            case .claimPending:
                ("the payment is paid", "the coins are credited soon, unless another user presents it too")
            case .cancellationPending:
                ("a cancellation of the payment is pending at the gateway", "the service looks again")
            case .unknownStoreProduct:
                ("the product of the store is not known yet", "the coins are credited when it is")
            case .priceNotBookable:
                (
                    "the payment is paid, and waits for a rate of its currency: do not finish it at a store",
                    "the service looks again when one is published"
                )
            case .worthOutOfRange:
                (
                    "the payment is paid, but it is worth no won or more than a trillion, and no rate changes that: "
                        + "do not finish it at a store",
                    "a person decides about it"
                )
            case .unknownStatus, .gatewayUnavailable:
                ("the payment gateway could not confirm the payment yet", "the service keeps trying")
            }
        let next = isKept || !reason.mayEnd ? promise : "nothing is stored: try again later"
        self.init(code: reason.rawValue, detail: "\(fact); \(next)", retryable: reason.mayEnd)
    }
}

extension ReceiptBody: JSONWritten {
    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("balance", balance)
        if let free { json.member("free", free) }
        if let purchase { json.member("purchase", purchase) }
        if let trial { json.member("trial", trial) }
        json.endObject()
    }
}

extension FreePurchaseBody: JSONWritten {
    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("coins", coins)
        if let expiresAt { json.member("expires_at", expiresAt) }
        json.member("grant_id", grantID)
        json.endObject()
    }
}

extension StoreTrialBody: JSONWritten {
    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("coins", coins)
        json.member("expires_at", expiresAt)
        json.endObject()
    }
}
