package import Foundation

extension NaiveWallet {
    /// Coins of a grant that was a mistake go; nil: all that can be used, and later what comes back of spends and captures.
    ///
    /// - Returns: the refusal's name, nil when it was done.
    package mutating func voidGrant(_ place: Int, _ coins: Int64?, at now: Date) -> String? {
        guard lots[place].purchase == nil else { return "noSuchGrant" }
        let most = (lots[place].expiresAt ?? .distantFuture) > now ? lots[place].remaining : 0
        guard most > 0, coins ?? most <= most else { return "exceedsGrant" }
        void(coins ?? most, at: place)
        if coins == nil { lots[place].isVoided = true }
        return nil
    }

    mutating func void(_ coins: Int64, at place: Int) {
        lots[place].remaining -= coins
        granted -= coins
    }
}
