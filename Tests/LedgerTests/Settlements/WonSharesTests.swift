import TestSupport
import Testing

@testable import Ledger

/// Money that is shared in whole won: no won is lost or made, and none is far from its exact part.
@Suite(.timeLimit(.minutes(20))) struct WonSharesTests {
    @Test(
        arguments: [
            (100, [1, 1, 1], [34, 33, 33]), (101, [1, 1, 1], [34, 34, 33]),
            (2290, [1200, 1200, 1200], [764, 763, 763]),
            (10, [1, 2, 7], [1, 2, 7]), (10, [3, 3], [5, 5]), (1, [1, 9], [0, 1]), (0, [5, 5], [0, 0]), (5, [], []),
            (1_000_000_000_000, [1_000_000_000_000, 2], [999_999_999_998, 2]),
        ] as [(Int64, [Int64], [Int64])])
    func `a total is shared by weights, to the won`(total: Int64, weights: [Int64], shares: [Int64]) {
        #expect(WonShares.shares(of: total, among: weights) == shares)
    }

    @Test func `any shares add up, and none is off by a won`() {
        var random = SplitMix64(seed: Effort.seed)
        for _ in 0..<Effort.count(500, upTo: 20_000) {
            let weights = (0..<Int.random(in: 1...9, using: &random)).map { _ in
                Int64.random(in: 1...1_000_000, using: &random)
            }
            let sum = weights.reduce(0, +)
            let total = Int64.random(in: 0...sum, using: &random)
            let shares = WonShares.shares(of: total, among: weights)
            #expect(shares.reduce(0, +) == total)
            for (share, weight) in zip(shares, weights) { #expect(abs(share * sum - weight * total) < sum) }
        }
    }

    @Test(
        arguments: [
            (0, 0), (499_999, 0), (500_000, 0), (500_001, 1), (1_500_000, 2), (2_500_000, 2), (763_636_364, 764),
            (-499_999, 0), (-500_000, 0), (-500_001, -1), (-1_500_000, -2), (-2_500_000, -2),
        ] as [(Int64, Int64)])
    func `a share is the nearest whole won, of two the even one`(millionths: Int64, won: Int64) {
        #expect(WonShares.nearest(Int128(millionths)) == won)
        #expect(WonShares.whole([Int128(millionths)]) == [won])
    }

    @Test(
        arguments: [
            ([], []), ([400_000, 400_000, 400_000], [1, 0, 0]), ([600_000, 600_000], [1, 0]),
            ([840_400_000, -839_800_000], [841, -840]), ([1_000_000, 500_000], [1, 1]),
            ([-600_000, 2_000_000], [-1, 2]),
        ] as [([Int64], [Int64])])
    func `parts are rounded together`(millionths: [Int64], won: [Int64]) {
        #expect(WonShares.whole(millionths.map { Int128($0) }) == won)
    }

    @Test func `any parts add up to the nearest whole won, and none is off by a won or passes a whole one`() {
        var random = SplitMix64(seed: Effort.seed)
        for _ in 0..<Effort.count(500, upTo: 20_000) {
            let parts = (0..<Int.random(in: 1...9, using: &random)).map { _ in
                Int128(Int64.random(in: -3_000_000...3_000_000, using: &random))
            }
            let won = WonShares.whole(parts)
            #expect(won.reduce(0, +) == WonShares.nearest(parts.reduce(0, +)))
            for (won, part) in zip(won, parts) { #expect(abs(Int128(won) * 1_000_000 - part) < 1_000_000) }
        }
    }
}
