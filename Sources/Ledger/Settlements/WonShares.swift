/// Parts of money in whole won that add up: each is rounded down, and the won that are left go to the largest remainders, of
/// equal ones to the first.
enum WonShares {
    /// Millionths in whole won, which add up to the nearest whole won of them all.
    static func whole(_ millionths: [Int128]) -> [Int64] {
        raise(millionths.map { floored($0, by: 1_000_000) }, to: nearest(millionths.reduce(0, +)))
    }

    /// Shares a total by weights.
    static func shares(of total: Int64, among weights: [Int64]) -> [Int64] {
        let sum = weights.reduce(Int128(0)) { $0 + Int128($1) }
        guard sum > 0 else { return weights.map { _ in 0 } }
        return raise(weights.map { floored(Int128(total) * Int128($0), by: sum) }, to: total)
    }

    /// Millionths as whole won: the nearest, and of two the even one.
    static func nearest(_ millionths: Int128) -> Int64 {
        let (whole, rest) = floored(millionths, by: 1_000_000)
        return Int64(rest > 500_000 || rest == 500_000 && whole % 2 != 0 ? whole + 1 : whole)
    }

    private typealias Part = (whole: Int128, rest: Int128)

    private static func floored(_ number: Int128, by divisor: Int128) -> Part {
        let (whole, rest) = number.quotientAndRemainder(dividingBy: divisor)
        return rest < 0 ? (whole - 1, rest + divisor) : (whole, rest)
    }

    private static func raise(_ parts: [Part], to total: Int64) -> [Int64] {
        var won = parts.map { Int64($0.whole) }
        let left = Int(total - won.reduce(0, +))
        let largest = parts.indices.sorted { (-parts[$0].rest, $0) < (-parts[$1].rest, $1) }
        for index in largest.prefix(left) { won[index] += 1 }
        return won
    }
}
