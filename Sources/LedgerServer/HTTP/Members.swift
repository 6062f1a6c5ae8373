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
