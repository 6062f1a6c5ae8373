import Ledger

/// A member with a number of coins, at least 1.
struct CoinCount: Decodable, Sendable {
    let coins: Coins

    init(from decoder: any Decoder) throws {
        let count = try decoder.singleValueContainer().decode(Int64.self)
        guard let coins = Coins(count) else {
            let pointer = JSONPointer(decoder.codingPath).text
            throw Problem.invalid(pointer: pointer, "\(pointer) must be from 1 to \(Coins.most)")
        }
        self.coins = coins
    }
}

/// A member with an amount of won, at least 1.
struct WonAmount: Decodable, Sendable {
    let price: Price

    init(from decoder: any Decoder) throws {
        let amount = try decoder.singleValueContainer().decode(Int64.self)
        guard let price = Price(won: amount) else {
            let pointer = JSONPointer(decoder.codingPath).text
            throw Problem.invalid(pointer: pointer, "\(pointer) must be from 1 to \(Price.highest)")
        }
        self.price = price
    }
}

/// A member with the number of seconds until a hold expires.
struct HoldTimeout: Decodable, Sendable {
    /// The default: an hour.
    static let standard: Int64 = 3600

    let seconds: Int64

    init(from decoder: any Decoder) throws {
        seconds = try decoder.singleValueContainer().decode(Int64.self)
        guard PlaceHold.timeouts.contains(seconds) else {
            let pointer = JSONPointer(decoder.codingPath).text
            let range = PlaceHold.timeouts
            throw Problem.invalid(
                pointer: pointer, "\(pointer) must be from \(range.lowerBound) to \(range.upperBound) seconds")
        }
    }
}

/// A member with the id of a user or a provider.
struct AccountOwner: Decodable, Sendable {
    let id: UserID

    init(from decoder: any Decoder) throws {
        let text = try NonEmpty(from: decoder).value
        guard let id = UserID(rawValue: text) else {
            let pointer = JSONPointer(decoder.codingPath).text
            throw Problem.invalid(pointer: pointer, "\(pointer) must be an id of \(UserID.rule)")
        }
        self.id = id
    }
}
