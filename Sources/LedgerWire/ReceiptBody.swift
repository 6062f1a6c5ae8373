public import Foundation

/// The receipt of a payment.
///
/// A receipt with the ids of both gateways is V1's if V1 is configured, else V2's.
public struct ReceiptRequest: Codable, Hashable, Sendable {
    /// V1's payment id.
    public let impUID: String?
    /// The merchant's payment id at V1.
    public let merchantUID: String?
    /// V2's payment id.
    public let paymentID: String?
    /// A purchase in the App Store.
    public let appStore: AppStoreReceiptRequest?
    /// A purchase in Google Play.
    public let googlePlay: GooglePlayReceiptRequest?

    /// The names of its members.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case impUID = "imp_uid"
        case merchantUID = "merchant_uid"
        case paymentID = "payment_id"
        case appStore = "app_store"
        case googlePlay = "google_play"
    }

    private init(
        impUID: String? = nil, merchantUID: String? = nil, paymentID: String? = nil,
        appStore: AppStoreReceiptRequest? = nil, googlePlay: GooglePlayReceiptRequest? = nil
    ) {
        self.impUID = impUID
        self.merchantUID = merchantUID
        self.paymentID = paymentID
        self.appStore = appStore
        self.googlePlay = googlePlay
    }

    /// The receipt of a payment through PortOne V1.
    public static func v1(impUID: String, merchantUID: String) -> ReceiptRequest {
        ReceiptRequest(impUID: impUID, merchantUID: merchantUID)
    }

    /// The receipt of a payment through PortOne V2.
    public static func v2(paymentID: String) -> ReceiptRequest { ReceiptRequest(paymentID: paymentID) }

    /// The receipt of a purchase in the App Store.
    ///
    /// - Parameter signedTransaction: StoreKit's `jwsRepresentation` of the transaction.
    public static func appStore(signedTransaction: String) -> ReceiptRequest {
        ReceiptRequest(appStore: AppStoreReceiptRequest(signedTransaction: signedTransaction))
    }

    /// The same of a service that has only the transaction's id.
    public static func appStore(transactionID: String) -> ReceiptRequest {
        ReceiptRequest(appStore: AppStoreReceiptRequest(transactionID: transactionID))
    }

    /// The receipt of a purchase in Google Play.
    ///
    /// - Parameter purchaseToken: the Billing Library's `purchaseToken` of the purchase.
    public static func googlePlay(purchaseToken: String) -> ReceiptRequest {
        ReceiptRequest(googlePlay: GooglePlayReceiptRequest(purchaseToken: purchaseToken))
    }
}

/// What a client has of a purchase in the App Store.
public struct AppStoreReceiptRequest: Codable, Hashable, Sendable {
    /// StoreKit's `jwsRepresentation` of the transaction.
    ///
    /// - Length: `1...16384`
    /// - Pattern: `^[!-~]+$`
    public let signedTransaction: String?
    /// The transaction's id, which only a service may present: who has it need not have bought.
    ///
    /// - Length: `1...64`
    /// - Pattern: `^[A-Za-z0-9_-]+$`
    public let transactionID: String?

    /// The names of its members.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case signedTransaction = "signed_transaction"
        case transactionID = "transaction_id"
    }

    /// Creates a receipt with one of the two.
    public init(signedTransaction: String? = nil, transactionID: String? = nil) {
        self.signedTransaction = signedTransaction
        self.transactionID = transactionID
    }
}

/// What a client has of a purchase in Google Play.
public struct GooglePlayReceiptRequest: Codable, Hashable, Sendable {
    /// The Billing Library's `purchaseToken` of the purchase.
    ///
    /// - Length: `1...2000`
    /// - Pattern: `^(?!\.{1,2}$)[A-Za-z0-9._-]+$`
    public let purchaseToken: String

    /// The names of its members.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case purchaseToken = "purchase_token"
    }

    /// Creates a receipt.
    public init(purchaseToken: String) {
        self.purchaseToken = purchaseToken
    }
}

/// A credited receipt.
public struct ReceiptBody: Codable, Hashable, Sendable {
    /// The purchase; nil: nobody has paid it, and it gave the coins of `free` or `trial`.
    public let purchase: PurchaseBody?
    /// The user's balance now.
    public let balance: BalanceBody
    /// What a purchase gave that cost nothing in a store, as with a code; nil: it is another one.
    public let free: FreePurchaseBody?
    /// What a purchase in a store's sandbox gave; nil: it is another one.
    public let trial: StoreTrialBody?

    /// Creates the response to a credited receipt.
    public init(
        purchase: PurchaseBody?, balance: BalanceBody, free: FreePurchaseBody? = nil, trial: StoreTrialBody? = nil
    ) {
        self.purchase = purchase
        self.balance = balance
        self.free = free
        self.trial = trial
    }
}

/// What a purchase gave that cost nothing in a store.
public struct FreePurchaseBody: Codable, Hashable, Sendable {
    /// The grant: the id of its journal entry.
    public let grantID: Int64
    /// The bonus coins.
    public let coins: Int64
    /// When they expire; nil: never.
    public let expiresAt: Date?

    private enum CodingKeys: String, CodingKey {
        case grantID = "grant_id"
        case coins
        case expiresAt = "expires_at"
    }

    /// Creates it from its members.
    public init(grantID: Int64, coins: Int64, expiresAt: Date?) {
        self.grantID = grantID
        self.coins = coins
        self.expiresAt = expiresAt
    }
}

/// What a purchase in a store's sandbox gave: nobody has paid it.
public struct StoreTrialBody: Codable, Hashable, Sendable {
    /// The bonus coins.
    public let coins: Int64
    /// When they expire.
    public let expiresAt: Date

    private enum CodingKeys: String, CodingKey {
        case coins
        case expiresAt = "expires_at"
    }

    /// Creates it from its members.
    public init(coins: Int64, expiresAt: Date) {
        self.coins = coins
        self.expiresAt = expiresAt
    }
}

/// A waiting receipt: the gateway has not decided, or is unavailable.
public struct WaitingReceiptBody: Codable, Hashable, Sendable {
    /// Always `waiting`.
    ///
    /// - Always: `waiting`
    public let status: String
    /// The reason.
    ///
    /// - Values: `awaiting_payment`, `gateway_unavailable`, `unknown_status`, `cancellation_pending`, `claim_pending`,
    ///   `unknown_store_product`, `price_not_bookable`, `worth_out_of_range`
    public let code: String
    /// The reason, for people.
    public let detail: String
    /// Whether the receipt may be credited when it is presented again: not with `worth_out_of_range`.
    public let retryable: Bool

    /// Creates the response to a waiting receipt.
    public init(code: String, detail: String, retryable: Bool = true) {
        status = "waiting"
        self.code = code
        self.detail = detail
        self.retryable = retryable
    }
}
