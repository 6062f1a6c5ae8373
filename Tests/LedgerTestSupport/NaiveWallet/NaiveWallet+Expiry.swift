package import Foundation

extension NaiveWallet {
    /// A lot's remaining coins expire if its time is up.
    package mutating func expireLot(_ place: Int, at now: Date) {
        guard let end = lots[place].expiresAt, end <= now else { return }
        expire(lots[place].remaining, at: place)
    }

    mutating func expire(_ coins: Int64, at place: Int, worth price: Int64? = nil) {
        var lot = lots[place]
        expire(coins, of: &lot, worth: price)
        lots[place] = lot
    }

    func expire(_ coins: Int64, of lot: inout Lot, worth price: Int64? = nil) {
        let won = coins == lot.remaining + lot.held ? lot.won : min(lot.won, price ?? share(lot, coins))
        lot.expired += coins
        lot.remaining -= coins
        lot.won -= won
        lot.breakage += won
    }

    /// Expired coins are there again.
    ///
    /// - Returns: what had been recognised for them.
    func comeBack(_ coins: Int64, of lot: inout Lot) -> Int64 {
        let won = lapsed(lot, coins)
        lot.expired -= coins
        lot.remaining += coins
        lot.won += won
        lot.breakage -= won
        return won
    }

    /// What was recognised for expired coins.
    func lapsed(_ lot: Lot, _ coins: Int64) -> Int64 {
        coins == lot.expired ? lot.breakage : part(of: lot.breakage, coins, of: lot.expired)
    }
}
