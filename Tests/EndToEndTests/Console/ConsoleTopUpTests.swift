import EndToEndSupport
import TestSupport
import Testing

/// Automatic top-up on a customer's page.
@Suite(.timeLimit(.minutes(20))) struct ConsoleTopUpTests {
    @Test func `support sees a consent with its charges, and pauses, resumes and ends it`() async throws {
        try await ConsoleHouse.open { console in
            try await console.service.spendBelow("ann", at: .v1, card: "declined-card")
            try await eventually("the charge fails") { try await console.house.books.topUps == ["failed declined"] }
            let viewer = try await console.browser(as: "viewer-1")
            let seen = try await viewer.open("/console/customers/ann").text
            #expect(seen.contains("Automatic top-up") && seen.contains("card declined"))
            #expect(!seen.contains("declined-card"), "the card's name is not shown")
            #expect(!seen.contains("top-up/pause"), "a viewer does nothing")
            let support = try await console.browser(as: "support-1")
            for (act, status) in [("pause", "paused"), ("resume", "active"), ("revoke", "revoked")] {
                let path = "/console/customers/ann/top-up/\(act)"
                #expect(try await support.open("/console/customers/ann").text.contains(path), "\(act)")
                try await support.open(path)
                let sent = try await support.submit(path, [("reason", "asked by mail")])
                #expect(sent.status == 200, "\(act): \(sent)")
                #expect(try await console.service.topUp(of: "ann")["status"].text == status)
            }
            #expect(try await console.service.topUp(of: "ann")["changed_by"].text?.isEmpty == false)
            let again = try await support.open("/console/customers/ann/top-up/pause").text
            #expect(again.contains("not possible any more"))
        }
    }
}
