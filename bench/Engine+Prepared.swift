import Ledger
import LedgerTestSupport

/// Acts one by one, of which some are of what earlier acts made.
extension Engine {
    /// Spends coins.
    ///
    /// - Returns: the spend's entry.
    func spend(_ number: Int) async throws -> (Int64, Acknowledged) {
        let act = acts.spend(0, number)
        return (try await done(act).journalEntryID, Acknowledged(keys: [act.idempotencyKey.text]))
    }

    /// Reads a spend and takes it back, as a request does.
    func reverse(_ spend: Int64, _ number: Int) async throws -> (Void, Acknowledged) {
        guard let redemption = try await ledger.redemptions.find(spend) else {
            throw Program.Failed(description: "a spend is missing")
        }
        let act = ReverseRedemption(idempotencyKey: acts.key("reversal", 0, number), of: redemption)
        _ = try await done(act)
        return ((), Acknowledged(keys: [act.idempotencyKey.text]))
    }

    /// Holds coins.
    func hold(_ number: Int) async throws -> (Hold, Acknowledged) {
        let act = acts.hold(0, number)
        return (try await done(act).hold, Acknowledged(keys: [act.idempotencyKey.text]))
    }

    /// Captures a whole hold for a provider.
    func capture(_ hold: Hold, for provider: UserID, _ number: Int) async throws -> (Void, Acknowledged) {
        let act = CaptureHold(
            idempotencyKey: acts.key("capture", 0, number), user: hold.user, holdID: hold.id, provider: provider)
        _ = try await done(act)
        return ((), Acknowledged(keys: [act.idempotencyKey.text]))
    }

    /// A provider who earns coins only, or with terms a share of the won, too.
    static func provider(withTerms: Bool, in test: TestLedger) async throws -> UserID {
        guard let provider = UserID(rawValue: withTerms ? "provider-with-terms" : "provider") else {
            preconditionFailure("a user id is valid")
        }
        guard withTerms else { return provider }
        try await with(test, Shape(), users: 1, tag: "terms") { engine in
            _ = try await engine.ledger.providers.setTerms(
                ProviderTermsDraft(provider: provider, share: 8000, role: .agent), standardWithholding: .none,
                by: "bench")
        }
        return provider
    }
}
