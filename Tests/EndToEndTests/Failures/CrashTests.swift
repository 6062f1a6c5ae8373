import TestSupport
import Testing

/// The service is killed in the middle of its work.
@Suite(.serialized, .timeLimit(.minutes(20))) struct CrashTests {
    @Test func `what a client got an answer for is in the books once after a crash`() async throws {
        try await House.openProcess { house, gateway, service in
            let crowd = Crowd()
            async let load: Void = crowd.run(clients: 32, most: 40, gateway: gateway, service: service)
            try await eventually("the load is under way") { crowd.posts.count >= 150 }
            try await house.kill(service.process)
            crowd.stop()
            await load

            let posts = crowd.posts
            let promised = posts.filter { $0.answer?.status == 201 }
            #expect(promised.count >= 100)
            #expect(posts.contains { $0.answer == nil }, "the crash hit nobody")
            for post in promised {
                let found = try await house.books.count(
                    "SELECT count(*) FROM purchase WHERE imp_uid = $1", [post.payment.impUID])
                #expect(found == 1)
            }
            try await house.expectSound()

            let successor = try await house.serve(at: gateway)
            for post in posts {
                let answer = try await successor.present(post.payment, by: "client-\(post.client)")
                #expect([200, 201].contains(answer.status), "\(answer)")
                if let before = post.answer, before.status == 201 {
                    #expect(answer.status == 200 && answer.purchase == before.purchase)
                }
            }
            #expect(try await house.books.purchases == Int64(posts.count))
            let coins = try await house.books.count("SELECT sum(balance)::int8 FROM account WHERE code LIKE 'wallet:%'")
            #expect(coins == Int64(100 * posts.count))
            try await house.expectSound()
        }
    }
}
