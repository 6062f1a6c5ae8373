import TestSupport
import Testing

@testable import PGVerifier

@Suite(.timeLimit(.minutes(20))) struct RevocationTests {
    private let house: AppStoreHouse

    init() throws {
        house = try AppStoreHouse.ours.get()
    }

    @Test(arguments: [AppStoreConfiguration.Revocation.soft, .hard])
    func `leaf and intermediate are asked about, once for a quarter of an hour`(
        mode: AppStoreConfiguration.Revocation
    ) async throws {
        let (responder, timing) = (OCSPResponder(house), InstantTiming())
        let verifier = try house.verifier(revocation: mode, transport: responder, timing: timing)
        for _ in 0..<3 { _ = try await verifier.transaction(try house.sign(AppStoreHouse.transaction())) }
        #expect(responder.asked == [AppStoreHouse.leafAddress, AppStoreHouse.intermediateAddress])
        timing.advance(by: .seconds(900))
        _ = try await verifier.transaction(try house.sign(AppStoreHouse.transaction()))
        #expect(responder.asked.count == 4)
    }

    @Test(arguments: [AppStoreConfiguration.Revocation.soft, .hard], [true, false])
    func `a revoked certificate is refused for good`(
        mode: AppStoreConfiguration.Revocation, isLeaf: Bool
    ) async throws {
        let responder =
            isLeaf ? OCSPResponder(house, leaf: .revoked) : OCSPResponder(house, intermediate: .revoked)
        #expect(await refusal(mode, responder)?.code == .revoked)
        #expect(await refusal(mode, responder)?.isRetryable == false)
    }

    @Test func `a revoked intermediate is found where nobody answers for the leaf`() async {
        #expect(await refusal(.soft, OCSPResponder(house, leaf: .down, intermediate: .revoked))?.code == .revoked)
    }

    @Test(arguments: [
        OCSPResponder.Word.down, .status(500), .status(404), .notOCSP, .empty, .tryLater, .stale, .forged, .unknown,
    ]) func `what can't be found out passes where it may, and else is asked again later`(
        word: OCSPResponder.Word
    ) async {
        #expect(await refusal(.soft, OCSPResponder(house, leaf: word)) == nil)
        for responder in [OCSPResponder(house, leaf: word), OCSPResponder(house, intermediate: word)] {
            let error = await refusal(.hard, responder)
            #expect(error?.code == .revocationUnknown && error?.isRetryable == true)
        }
    }

    @Test
    func `what was unknown is asked again at once where it must be known, and after a minute where it need not be`()
        async throws
    {
        let token = try house.sign(AppStoreHouse.transaction())
        let (hard, soft, timing) = (
            OCSPResponder(house, leaf: .down), OCSPResponder(house, leaf: .down), InstantTiming()
        )
        let strict = try house.verifier(revocation: .hard, transport: hard, timing: timing)
        await #expect(throws: SignedDataError.self) { try await strict.transaction(token) }
        hard.say(.good)
        _ = try await strict.transaction(token)
        let lenient = try house.verifier(revocation: .soft, transport: soft, timing: timing)
        for _ in 0..<2 { _ = try await lenient.transaction(token) }
        #expect(soft.asked.count == 2)
        soft.say(.revoked)
        timing.advance(by: .seconds(60))
        await #expect(throws: SignedDataError.self) { try await lenient.transaction(token) }
    }

    @Test func `a responder whose clock is ahead is believed`() async {
        #expect(await refusal(.hard, OCSPResponder(house, leaf: .early, intermediate: .early)) == nil)
    }

    @Test func `an expired certificate is refused only where it must be known to be good`() async throws {
        let old = try AppStoreHouse(.expiredLeaf)
        let token = try old.sign(AppStoreHouse.transaction(["signedDate": "1793849640000"]))
        let responder = OCSPResponder(old)
        _ = try await old.verifier(revocation: .soft, transport: responder).transaction(token)
        let error = await #expect(throws: SignedDataError.self) {
            try await old.verifier(revocation: .hard, transport: responder).transaction(token)
        }
        #expect(error?.code == .badSignature)
        #expect(responder.asked == [])
    }

    @Test func `nobody is asked about what nobody signed`() async throws {
        let responder = OCSPResponder(house)
        let verifier = try house.verifier(revocation: .hard, transport: responder)
        let stranger = try AppStoreHouse()
        let forged = try stranger.sign(AppStoreHouse.transaction(), chain: house.chain)
        for token in [forged, try stranger.sign(AppStoreHouse.transaction())] {
            await #expect(throws: SignedDataError.self) { try await verifier.transaction(token) }
        }
        #expect(responder.asked == [])
    }

    private func refusal(
        _ mode: AppStoreConfiguration.Revocation, _ responder: OCSPResponder
    ) async -> SignedDataError? {
        do {
            let token = try house.sign(AppStoreHouse.transaction())
            _ = try await house.verifier(revocation: mode, transport: responder).transaction(token)
            return nil
        } catch {
            return error as? SignedDataError
        }
    }
}
