import ArgumentParser
import Testing

@testable import Ledger
@testable import LedgerServer

/// Commands refuse what the API and the console refuse.
@Suite(.timeLimit(.minutes(20))) struct CommandRulesTests {
    @Test func `a command proposes a payout to at most as many providers as a request`() throws {
        let ids = (1...1000).map { "designer-\($0)" }
        #expect(try PayoutsCommand.Propose.parse(ids).providers.count == 1000)
        #expect(throws: (any Error).self) { try PayoutsCommand.Propose.parse(ids + ["designer-0"]) }
    }

    @Test(arguments: [String(repeating: "x", count: 201), "a\nb", "\u{0}"])
    func `a command takes no description of an endpoint that a request may not have`(description: String) throws {
        let options = ["https://shop.example/events", "--description"]
        #expect(try EndpointsCommand.Add.parse(options + ["The shop"]).filter.description == "The shop")
        #expect(throws: (any Error).self) { try EndpointsCommand.Add.parse(options + [description]) }
        #expect(throws: (any Error).self) { try EndpointsCommand.Change.parse(["7", "--description", description]) }
    }

    @Test func `a command takes no title of a product that the console may not have`() throws {
        let product = ["coins_1", "--price", "1000", "--coins", "1", "--title"]
        #expect(try ProductsCommand.Add.parse(product + ["One coin"]).title == "One coin")
        for title in ["", "a\nb"] {
            #expect(throws: (any Error).self) { try ProductsCommand.Add.parse(product + [title]) }
            #expect(throws: (any Error).self) { try ProductsCommand.Change.parse(["coins_1", "--title", title]) }
        }
    }

    @Test func `a command sets no terms that a request may not set`() throws {
        let terms = ["designer-3", "--role", "agent", "--share"]
        #expect(try ProvidersCommand.Set.parse(terms + ["10000"]).share == 10_000)
        for wrong in [["10001"], ["1", "--product", "song", "--withholding", "none"]] {
            #expect(throws: (any Error).self, "\(wrong)") { try ProvidersCommand.Set.parse(terms + wrong) }
        }
    }

    @Test func `a command sends no events again that there can't be`() throws {
        #expect(try EndpointsCommand.Replay.parse(["7", "--after", "0", "--until", "1"]).until == 1)
        for wrong in [["--after=-1"], ["--after", "5", "--until", "5"], ["--after", "5", "--until", "4"]] {
            #expect(throws: (any Error).self, "\(wrong)") { try EndpointsCommand.Replay.parse(["7"] + wrong) }
        }
        #expect(throws: (any Error).self) {
            try EndpointsCommand.Add.parse(["https://shop.example/events", "--after=-1"])
        }
    }
}
