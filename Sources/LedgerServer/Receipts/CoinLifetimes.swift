import Foundation
import Ledger
import PGVerifier

/// The lifetimes of purchased coins.
///
/// They start with the credit and not with the payment, so that a late receipt does not credit expired coins. What an order
/// has sold applies first, then what is set for the gateway, then the product, then the general lifetimes.
struct CoinLifetimes: Sendable, Equatable {
    /// The general lifetime of paid coins; nil: forever.
    var paid: Duration?
    /// The general lifetime of bonus coins; nil: forever.
    var bonus: Duration?
    /// The lifetimes of coins that are bought through a gateway, by its name.
    var ofGateways: [String: ProductLifetimes] = [:]

    /// The lifetimes of the coins of a sale.
    func lifetimes(of sale: Sale, at gateway: String) -> (paid: Duration?, bonus: Duration?) {
        var own = [sale.lifetimes]
        if let channel = ofGateways[gateway] { own.insert(channel, at: sale.isOrdered ? 1 : 0) }
        return (
            Self.length(own.lazy.compactMap(\.paid).first, else: paid),
            Self.length(own.lazy.compactMap(\.bonus).first, else: bonus)
        )
    }

    private static func length(_ own: CoinLifetime?, else general: Duration?) -> Duration? {
        switch own {
        case nil: general
        case .forever: nil
        case .days(let days): .seconds(days * 86_400)
        }
    }
}

extension CoinLifetimes {
    /// The configured lifetimes.
    init(_ values: SettingValues) throws(ConfigurationError) {
        paid = try values[Settings.coins.paidLifetime]
        bonus = try values[Settings.coins.bonusLifetime]
        ofGateways = try values[Settings.coins.gatewayLifetimes] ?? [:]
    }

    /// The format of ``ofGateways``, for help and error messages.
    static let gatewayRule =
        "gateway=lifetime pairs separated by commas, of "
        + Gateways.known.map { $0.name }.joined(separator: ", ")
        + "; a lifetime is days such as 365d, or forever, and a second one after a slash is that of bonus coins"

    /// Reads pairs such as `NAME=365d,OTHER=forever/30d`; nil if the text has another format, or names a gateway twice.
    static func ofGateways(_ text: String) -> [String: ProductLifetimes]? {
        var found: [String: ProductLifetimes] = [:]
        for pair in text.commaSeparated {
            let parts = pair.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, Gateways.known(as: parts[0]) != nil, found[parts[0]] == nil,
                let lifetimes = ProductLifetimes(settingText: parts[1])
            else { return nil }
            found[parts[0]] = lifetimes
        }
        return found.isEmpty ? nil : found
    }
}

extension ProductLifetimes {
    /// Reads one lifetime for both kinds of coins, or two separated by a slash.
    fileprivate init?(settingText text: String) {
        let lifetimes = text.split(separator: "/", omittingEmptySubsequences: false).map {
            CoinLifetime(settingText: String($0))
        }
        guard lifetimes.count <= 2, let paid = lifetimes[0], let bonus = lifetimes[lifetimes.count - 1] else {
            return nil
        }
        self.init(paid: paid, bonus: bonus)
    }
}

extension CoinLifetime {
    /// Reads `365d` or `forever`.
    fileprivate init?(settingText text: String) {
        guard text != "forever" else {
            self = .forever
            return
        }
        guard text.hasSuffix("d"), let days = Int64(text.dropLast()), days > 0 else { return nil }
        self.init(days: days)
    }
}
