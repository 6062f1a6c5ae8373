import TestSupport
import Testing

/// Work is done as soon as it is there, not when it is looked for.
@Suite(.serialized)
struct WorkCallTests {
    @Test func `a worker is woken by an event of any process, long before it would look`() async throws {
        try await House.openTold { house, _, _ in
            let clock = ContinuousClock()
            var longest = Duration.zero
            for number in 1...10 {
                // Nobody looks for work more often than every half second.
                let started = clock.now
                try await house.books.execute(
                    """
                    INSERT INTO webhook_event (gateway, event_id, type, status, reason, urgency)
                    VALUES ('portone_v2', 'call-\(number)', 'none', 'waiting', 'received', 2)
                    """)
                try await eventually("event \(number) is worked off") {
                    try await house.books.events("ignored") == Int64(number)
                }
                longest = max(longest, clock.now - started)
            }
            #expect(longest < .milliseconds(400), "each is done at once: \(longest)")
        }
    }
}
