import Testing

@testable import LedgerServer

/// What one person can do alone.
@Suite(.timeLimit(.minutes(20))) struct ApprovalLimitsTests {
    @Test func `a payment is credited by one person up to the limit of refunds, in won`() throws {
        let limits = try ApprovalLimits(SettingValues(environment: ["LEDGERD_CONSOLE_REFUND_LIMIT": "50000"]))
        #expect(limits.allowCredit(of: 50_000, in: "KRW"))
        #expect(!limits.allowCredit(of: 50_001, in: "KRW"))
        #expect(!limits.allowCredit(of: 1, in: "USD"))
        #expect(!limits.allowCredit(of: nil, in: "KRW"))
    }

    @Test func `what a store sold for nothing needs a second person`() throws {
        let limits = try ApprovalLimits(SettingValues(environment: [:]))
        #expect(!limits.allowCredit(of: 0, in: "KRW"))
        #expect(!limits.allowCredit(of: 0, in: nil))
    }
}
