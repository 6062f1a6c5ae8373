import EndToEndSupport
import Testing

/// docs/worked-month.md, docs/worked-quarter.md and docs/worked-store-month.md show what the real binary says of their months.
@Suite(.serialized, .timeLimit(.minutes(20))) struct WorkedPageTests {
    @Test func `the worked month's commands say what its page says`() async throws {
        try await House.with { house in
            let gateway = try await house.startGateway()
            try await WorkedMonth.pass(in: house, gateway)
            try await WorkedPage("worked-month").expectReal(in: house, gateway)
            try await house.expectSound()
        }
    }

    @Test func `the worked quarter's commands say what its page says`() async throws {
        try await House.with { house in
            let gateway = try await house.startGateway()
            try await WorkedQuarter.pass(in: house)
            try await WorkedPage("worked-quarter").expectReal(in: house, gateway)
            try await house.expectSound()
        }
    }

    @Test func `the worked month of a store has commands that say what its page says`() async throws {
        try await House.with { house in
            let gateway = try await house.startGateway()
            try await WorkedStoreMonth.pass(in: house)
            try await WorkedPage("worked-store-month").expectReal(in: house, gateway)
            try await house.expectSound()
        }
    }

    @Test(arguments: ["worked-month", "worked-quarter", "worked-store-month"])
    func `the entries in the page's table add up to its trial balance`(_ page: String) throws {
        try WorkedPage(page).expectSums()
    }
}
