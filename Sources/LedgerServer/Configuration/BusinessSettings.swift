import CivilTime
import Foundation
import Ledger
import OutboundHTTP

struct WebhookSettings: SettingGroup {
    let title = "Webhooks"

    /// The settings of each gateway's webhooks.
    let ofGateways: [any SettingDeclaration] = GatewayConfiguration.known.flatMap { $0.webhookSettings }
    let sources = Setting(
        "webhook_sources",
        "The addresses from which V1's unsigned webhooks are accepted. PortOne's addresses are 52.78.100.19, "
            + "52.78.48.223 and 52.78.5.241.",
        rule: "addresses or CIDR ranges separated by commas", unset: "any address", parse: AddressRange.list)
    let retention = Setting.duration(
        "webhook_retention", "How long processed webhook events are kept.",
        in: .seconds(86_400)...(.seconds(86_400 * 3650)), default: .seconds(86_400 * 90))
}

struct ReceiptSettings: SettingGroup {
    let title = "Receipts and orders"

    let requireOrders = Setting.bool(
        "require_orders", "Whether only payments of an order made with POST /v1/orders are credited.",
        unset: "true, or false if app_keys is set")
    let orderLifetime = Setting.duration(
        "order_lifetime", "How long an order keeps its price.", in: .seconds(60)...(.seconds(604_800)),
        default: .seconds(3600))
    let userMembers = Setting(
        "payment_user_members",
        "The members of a payment's custom data with the user's id. Only that user, or the user in V2's customer.id, "
            + "can claim the payment.",
        rule: "names separated by commas, or off", default: "user_id,userId",
        parse: { text -> [String]? in
            if text.lowercased() == "off" { return [] }
            let names = text.commaSeparated
            return names.isEmpty ? nil : names
        })
    let claimGrace = Setting.duration(
        "claim_grace",
        "How long the credit of a payment without an order waits for claims of other users, if its receipt was "
            + "presented before the payment.",
        in: .zero...(.seconds(3600)), default: .seconds(30))
    let refusedReceipts = Setting.integer(
        "refused_receipts", "The maximum number of receipts per user and hour that the gateway does not know.",
        in: 1...10_000, default: 30)
    let creditNamedUsers = Setting.bool(
        "credit_named_users",
        "Whether a payment without an order is credited to the user named in its data, even if no app presents its "
            + "receipt. The payer can write any user's name there. No effect with require_orders."
    )
    let refundAnswerAfter = Setting.duration(
        "refund_answer_after",
        "How long after a store's question about a refund it is answered: until then a person can choose what it is told.",
        in: .zero...(.seconds(11 * 3600)), default: .seconds(6 * 3600))
    let refundSampleProvided = Setting.bool(
        "refund_sample_provided",
        "Whether stores that ask about a refund are told that a free sample, or information about how coins work, was provided."
    )
    let topUpsADay = Setting.integer(
        "top_ups_a_day", "The maximum number of automatic top-ups of a user in a day, in time_zone.", in: 1...100,
        default: 3)
    let topUpFailures = Setting.integer(
        "top_up_failures", "The number of failed automatic top-ups in a row after which a user's consent is paused.",
        in: 1...100, default: 3)
}

struct CoinSettings: SettingGroup {
    let title = "Coins, grants and refunds"

    let lotOrder = Setting(
        "lot_order", "Which coins are used first.", rule: LotOrdering.rule,
        default: "earliest-expiry,bonus-first,oldest-first", parse: LotOrdering.parse)
    let paidLifetime = Setting.duration(
        "paid_coin_lifetime", "The lifetime of paid coins after their credit, unless their product sets one.",
        in: .seconds(1)...(.seconds(86_400 * 36_500)), unset: "forever")
    let bonusLifetime = Setting.duration(
        "bonus_coin_lifetime",
        "The lifetime of the bonus coins of a purchase after their credit, unless their product sets one.",
        in: .seconds(1)...(.seconds(86_400 * 36_500)), unset: "forever")
    let gatewayLifetimes = Setting(
        "gateway_coin_lifetimes",
        "The lifetimes of coins that are bought through a gateway, instead of those of products and the general ones. An "
            + "order keeps the lifetimes that its product had.",
        rule: CoinLifetimes.gatewayRule, unset: "as their products and the general lifetimes say",
        parse: CoinLifetimes.ofGateways)
    let wholeDaysFrom = Setting(
        "whole_days_from",
        "The first day, in time_zone, whose credits and returns count whole days: lifetimes and return_grace end with "
            + "their last day, and not at the time of day when they began. Lots from before keep their ends, and what is "
            + "no number of days is exact.",
        rule: WholeDaysStart.rule,
        unset: "always in a ledger that began with version 0.3.0 or later, never in an older one",
        parse: WholeDaysStart.init(text:))
    let returnGrace = Setting.duration(
        "return_grace",
        "How long coins of a reversed spend, capture or refund by bank transfer can be used if their lot has expired "
            + "meanwhile; 0s: they expire at once.",
        in: .zero...(.seconds(86_400 * 366)), default: .seconds(86_400 * 7))
    let providerWithholding = Setting<ProviderTerms.Withholding>.choice(
        "provider_withholding",
        "The tax that is withheld from payouts to providers whose terms do not name it: business_income withholds 3 % "
            + "income tax and 0.3 % local income tax.",
        default: .none)
    let grantLimit = Setting.coins("grant_limit", "The maximum number of coins of one grant.", upTo: Coins.most)
    let grantDailyLimit = Setting.coins(
        "grant_daily_limit", "The maximum number of coins that one caller can grant per day, over all processes.",
        upTo: Coins.most * 1000)
    let giftCoins = Setting<GiftKinds>.choice(
        "gift_coins", "The coins that users can give to each other.", default: .none)
    let giftExceptGateways = Setting(
        "gift_except_gateways",
        "The gateways whose coins can't be given away, also if gift_coins allows their kind: a store's rules may forbid it.",
        rule: GiveableCoins.gatewayRule, default: "app-store", parse: GiveableCoins.gateways)
    let giftFeePercent = Setting.integer(
        "gift_fee_percent",
        "The fee of a gift, in percent of its coins, rounded up to a coin. The giver pays it in coins, besides.",
        in: 0...100, default: 0)
    let giftDailyLimit = Setting.coins(
        "gift_daily_limit", "The maximum number of coins that a user can give to others per day, in time_zone.",
        upTo: Coins.most * 1000)
    let giftReceivedDailyLimit = Setting.coins(
        "gift_received_daily_limit",
        "The maximum number of coins that a user can be given by others per day, in time_zone.",
        upTo: Coins.most * 1000)
    let refundFeePercent = Setting.integer(
        "refund_fee_percent", "The fee of a refund, in percent of the price of the refunded coins.", in: 0...99,
        default: 0)
    let refundFeeMinimum = Setting.integer(
        "refund_fee_minimum",
        "The least fee, in won, of refunds of payments in won, if the percentage is less. "
            + "The payer always gets at least 1 won.",
        in: 0...1_000_000, default: 0)
    let refundFreeDays = Setting.integer(
        "refund_free_days",
        "The days after the day of a purchase within which its refund is free, if none of its coins was used; 0: none. "
            + "The Act on Consumer Protection in Electronic Commerce has 7.",
        in: 0...366, default: 0)
    let refundExpiredDays = Setting.integer(
        "refund_expired_days",
        "The days after the last day of their lifetime for which expired paid coins can be refunded; 0: they can't. The "
            + "standard terms for new-type vouchers (신유형 상품권 표준약관) have five years from the issue.",
        in: 0...3660, default: 0)
    let refundExpiredPercent = Setting.integer(
        "refund_expired_percent",
        "What the payer gets for expired paid coins, in percent of their price. The standard terms have at least 90.",
        in: 1...100, default: 90)
    let refundUsedBonus = Setting<UsedBonus>.choice(
        "refund_used_bonus",
        "The treatment of used bonus coins when their purchase is refunded or cancelled: charge takes one paid coin of "
            + "the purchase for each; forgive takes none.",
        default: .charge)
    let vat = Setting.bool(
        "vat",
        "Whether VAT is booked: of sales from then on by the rule of each product, of debts that are paid in won, and of "
            + "the gateway's fees.")
    let vatBreakage = Setting.bool(
        "vat_breakage",
        "Whether expired coins are a supply, with VAT, when they expire. Needs vat; coins that expired before stay as they "
            + "were booked.")
    let vatRefundFees = Setting.bool(
        "vat_refund_fees",
        "Whether the fee of a refund, and the share of expired coins that is kept, pays for a supply and includes VAT. "
            + "Needs vat; refunds that were begun before stay as they were.")
    let freezeDisputed = Setting.bool(
        "freeze_disputed", "Whether the unused coins of a payment are frozen while its buyer disputes it.")
}

struct BookSettings: SettingGroup {
    let title = "Books and days"

    let timeZone = Setting(
        "time_zone",
        "The time zone of days and times of day, for exports, reconciliation, settlements, closing and sealing.",
        rule: TimeZone.nameRule, default: "Asia/Seoul", parse: TimeZone.init(name:))
    let reconcileAt = Setting(
        "reconcile_at", "The time of the daily reconciliation, which compares the previous day and fixes differences.",
        rule: "a time of day such as 04:30, or off", default: "04:30", parse: TimeOfDay.init(text:))
    let sealKey = Setting(
        "seal_key", "The Ed25519 key that signs the daily seals of the books.",
        rule: "32 bytes in base64, as `ledgerd seal keygen` prints them", unset: "the books are not sealed",
        isSecret: true, parse: SealKey.init(base64:))
    let voucherAccounts = Setting(
        "voucher_accounts", "The accounts of an ERP, for the report vouchers over HTTP and in the console.",
        rule: "the path of a CSV file with the columns account, code and name", unset: "only the command has vouchers",
        completion: .file(), parse: VoucherAccounts.init(path:))
}

struct PrepaidSettings: SettingGroup {
    let title = "Prepaid means"

    let outstandingLimit = Setting.integer(
        "prepaid_outstanding_limit",
        "The average of won outstanding at the ends of quarters from which an issuer must register.",
        in: 0...1_000_000_000_000_000, default: 3_000_000_000)
    let issuanceLimit = Setting.integer(
        "prepaid_issuance_limit", "The won issued in a calendar year from which an issuer must register.",
        in: 0...1_000_000_000_000_000, default: 50_000_000_000)
    let safeguardPercent = Setting.integer(
        "prepaid_safeguard_percent", "The part of the won outstanding that must be in custody.", in: 0...200,
        default: 100)
    let bonusWorth = Setting.integer(
        "prepaid_bonus_worth", "The won that each unused bonus coin adds to what must be in custody.",
        in: 0...10_000, default: 0)
}

struct AlertSettings: SettingGroup {
    let title = "Alerts"

    let hourlyLiability = Setting(
        "hourly_liability_limit",
        "The most won by which what is owed for unused coins may grow in an hour; more is the finding liability_above_limit.",
        rule: "a number of won from 1 to \(Coins.most * 1000)", unset: "no limit",
        parse: { text in Int64(text).flatMap { (1...Coins.most * 1000).contains($0) ? $0 : nil } })
    let hourlyBonus = Setting.coins(
        "hourly_bonus_limit",
        "The most bonus coins that may be given in an hour, by grants and with purchases; more is the finding "
            + "bonus_above_limit.",
        upTo: Coins.most * 1000)
    let hourlySpends = Setting.coins(
        "hourly_spend_limit",
        "The most coins that may be spent in an hour, or captured; more is the finding spends_above_limit.",
        upTo: Coins.most * 1000)
}

struct EndpointSettings: SettingGroup {
    let title = "Webhooks of events"

    let key = Setting(
        "endpoint_key",
        "The key that secrets of endpoints are made of. To replace it, put the new key first: it makes new secrets, and the "
            + "others stay valid for the secrets that were made of them.",
        rule: "32 bytes in base64, as `ledgerd endpoints keygen` prints them; several separated by commas",
        unset: "no webhooks are sent", isSecret: true, parse: EndpointKeys.Master.list)
    let signingKeys = Setting(
        "endpoint_signing_keys",
        "Ed25519 keys that sign every webhook besides the endpoint's secret. GET /v1/webhook-keys publishes their public "
            + "keys. To replace one, let both sign for a day.",
        rule:
            "32 bytes in base64, with or without whsk_, as `ledgerd endpoints keygen` prints them; several separated by "
            + "commas",
        unset: "only secrets sign", isSecret: true, parse: EndpointKeys.signingKeys)
    let networks = Setting(
        "endpoint_networks",
        "Private networks that webhooks may be sent to. All others that are not reachable from the internet are refused, "
            + "at each connection.",
        rule: "addresses or CIDR ranges separated by commas", unset: "none", parse: AddressRange.list)
    let authoritiesFile = Setting(
        "endpoint_ca_file", "A file of the only certificate authorities that are trusted for endpoints.",
        rule: "the path of a PEM file", unset: "those of the system", completion: .file(), parse: PEMFile.parse)
}

struct PersonalDataSettings: SettingGroup {
    let title = "Personal data"

    let forgettingKey = Setting(
        "forgetting_key",
        "The key with which the id of a user who is forgotten is kept, for records of payments and complaints. It is not in the "
            + "database; keep it apart from backups, and never replace it: payments of forgotten users are known by hashes with it, and "
            + "with another one, or none, ledgerd does not start.",
        rule: "32 bytes in base64, as `ledgerd users keygen` prints them", unset: "no user is forgotten",
        isSecret: true,
        parse: ForgettingKey.init(base64:))
    let forgettingWait = Setting.duration(
        "forgetting_wait", "How long a user who is to be forgotten waits, in which it can be cancelled.",
        in: .seconds(86_400)...(.seconds(86_400 * 365)), default: .seconds(86_400 * 7))
    let paymentRecordYears = Setting.integer(
        "payment_record_years",
        "How many years after their last payment the id of a forgotten user is kept, encrypted (E-Commerce Act: 5).",
        in: 0...50, default: 5)
    let complaintRecordYears = Setting.integer(
        "complaint_record_years",
        "The same after their last refund or dispute (E-Commerce Act, records of complaints: 3).", in: 0...50,
        default: 3)
}
