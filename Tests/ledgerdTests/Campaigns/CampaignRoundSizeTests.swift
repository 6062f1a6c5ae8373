import Testing

@testable import LedgerServer

@Suite(.timeLimit(.minutes(20))) struct CampaignRoundSizeTests {
    @Test func `rounds grow to two batches while nobody else acts, and are small at once when somebody does`() {
        var size = CampaignRoundSize()
        var sizes: [Int] = []
        for othersAct in [false, false, false, false, false, false, true, true, false] {
            sizes.append(size.users)
            size.change(othersAct: othersAct)
        }
        #expect(sizes == [64, 128, 256, 512, 1024, 2048, 2048, 64, 64])
        #expect(size.users == 128)
    }
}
