import TestSupport
import Testing

/// Many at once: never more goes back than was paid, in the books and at the gateway.
@Suite(.serialized, .timeLimit(.minutes(20))) struct RefundingRaceTests {
    @Test func `thirty-two refunds at once never give back more than was paid`() async throws {
        try await House.openNotified { house, gateway, service in
            let other = try await house.serve(at: gateway)
            let payment = try await gateway.pay("5000", #", "version": "V1""#)
            let id = try await service.buy(payment)
            let given = try await withThrowingTaskGroup(of: Int64.self) { group in
                for number in 0..<32 {
                    let members = number.isMultiple(of: 8) ? "" : #", "coins": \#(number * 3)"#
                    let door = number.isMultiple(of: 2) ? service : other
                    group.addTask { try await persist(id, members, key: "refund-\(number)", at: door) }
                }
                return try await group.reduce(0, +)
            }
            #expect(given == 5000)
            #expect(try await house.books.refunded == 5000)
            #expect(try await gateway.cancelled(payment) == 5000)
            #expect(try await service.coins() == 0)
            try await eventually("the gateway's events are worked off") {
                try await house.books.makeAllDue()
                return try await house.books.events("waiting") == 0
            }
            #expect(try await house.books.refunded == 5000)
            try await house.expectAgreement(with: gateway, on: payment)
        }
    }

    @Test func `refunds and the console at the same time end in agreement`() async throws {
        try await House.openNotified { house, gateway, service in
            let payment = try await gateway.pay("5000", #", "version": "V1""#)
            let id = try await service.buy(payment)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<16 {
                    group.addTask {
                        _ = try await persist(id, #", "coins": 20"#, key: "refund-\(number)", at: service)
                    }
                }
                group.addTask {
                    for number in 0..<10 {
                        // Spread over the time that the refunds take.
                        try await eventually("more refunds have begun") {
                            try await house.books.count("SELECT count(*) FROM refund") >= number
                        }
                        try await gateway.cancel(payment, 70)
                    }
                }
                try await group.waitForAll()
            }
            try await house.waitUntilDecided()
            try await eventually("the books follow the console") {
                try await house.books.makeAllDue()
                return try await house.books.refunded == gateway.cancelled(payment)
            }
            let refunded = try await house.books.count(
                "SELECT coalesce(sum(amount), 0)::int8 FROM refund WHERE status = 'completed'")
            #expect(try await house.books.refunded == refunded + 700)
            try await house.expectAgreement(with: gateway, on: payment)
        }
    }

    /// Asks under one key until it is decided.
    ///
    /// - Returns: what went back.
    private func persist(_ id: Int64, _ members: String, key: String, at service: Service) async throws -> Int64 {
        var amount: Int64 = 0
        try await eventually("the refund is decided") {
            let answer = try await service.refund(id, members, key: key)
            switch (answer.status, answer.code) {
            case (201, _): amount = sure(answer.json["refund"]["amount"].integer)
            case (202, _), (409, "refund_in_progress"): return false
            case (422, "exceeds_refundable"), (422, "nothing_to_refund"), (422, "refund_refused"): break
            default: throw DidNotHappen(description: "\(answer)")
            }
            return true
        }
        return amount
    }
}
