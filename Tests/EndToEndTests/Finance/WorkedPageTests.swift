import EndToEndSupport
import Testing

/// The pages docs/worked-*.md show what the real binary says of their months.
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

    @Test func `the worked quarter in dollars has commands that say what its page says`() async throws {
        try await House.with { house in
            let gateway = try await house.startGateway()
            try await WorkedDollarQuarter.pass(in: house)
            try await WorkedPage("worked-dollar-quarter").expectReal(in: house, gateway)
            try await house.expectSound()
        }
    }

    @Test(arguments: ["worked-month", "worked-quarter", "worked-store-month", "worked-dollar-quarter"])
    func `the entries in the page's table add up to its trial balance`(_ page: String) throws {
        try WorkedPage(page).expectSums()
    }
}
