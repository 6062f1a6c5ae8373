import Foundation
import LedgerClient
import SoakHistory
import Synchronization
import TestSupport

/// A client that acts for one user, at either service, and repeats what it does not know.
///
/// Two shoppers share a user, so that acts on one wallet meet.
final class Shopper: Sendable {
    /// What the shoppers of a user know of it.
    final class User: Sendable {
        struct Purchase { let id: Int64, impUID: String, amount: Int64 }
        struct State {
            var purchases: [Purchase] = []
            var holds: [Int64] = []
            /// The entries of the last grants.
            var grants: [Int64] = []
            var repeatable: [@Sendable (Shopper) async -> Void] = []
        }

        let name: String
        /// At each service, as the user and as a service that acts for users.
        let asUser: [LedgerClient]
        let asService: [LedgerClient]
        let state = Mutex(State())

        init(name: String, token: String, serviceToken: String, services: [SoakedService]) {
            self.name = name
            func client(_ service: SoakedService, _ token: String) -> LedgerClient {
                LedgerClient(url: service.url, timeout: 15, retries: .never) { _ in token }
            }
            asUser = services.map { client($0, token) }
            asService = services.map { client($0, serviceToken) }
        }
    }

    let user: User
    let recorder: Recorder
    let gateway: SandboxControl
    let services: [SoakedService]
    private let pause: Duration
    private let random: Mutex<SplitMix64>
    private let prefix: String
    private let acts = Mutex(0)
    /// The only service that it asks; nil: either.
    private let onlyService: Int?
    let isOver: @Sendable () -> Bool
    /// The users of whom some are given coins.
    let others: @Sendable () -> [String]

    init(
        _ user: User, number: Int, seed: UInt64, stage: Stage, recorder: Recorder, pause: Duration,
        onlyAt service: Int? = nil, others: @escaping @Sendable () -> [String] = { [] },
        isOver: @escaping @Sendable () -> Bool
    ) {
        self.user = user
        self.recorder = recorder
        self.pause = pause
        self.isOver = isOver
        self.others = others
        onlyService = service
        gateway = stage.gateway
        services = stage.services
        random = Mutex(SplitMix64(seed: seed))
        prefix = "\(user.name)/\(number)"
    }

    /// Does so many things, unless the run is over.
    func live(acts: Int) async {
        for _ in 0..<acts where !isOver() {
            await step()
            // The client's pace.
            try? await Task.sleep(for: pause * draw(0...100) / 100)
        }
    }

    /// Is granted coins, at a steady pace: its acknowledgements tell when there was a commit, and when not.
    func tick(acts: Int) async {
        for _ in 0..<acts where !isOver() {
            await grant()
            // The pace, finer than any outage that is worth telling.
            try? await Task.sleep(for: .milliseconds(50))
        }
    }

    func drawService() -> Int { onlyService ?? draw(0...services.count - 1) }

    func draw(_ range: ClosedRange<Int>) -> Int { random.withLock { Int.random(in: range, using: &$0) } }

    func nextKey() -> String {
        acts.withLock { acts in
            acts += 1
            return "\(prefix)-\(acts)"
        }
    }
}
