import TestSupport
import Testing

/// A difference of a reconciliation, as finance works on it.
@Suite(.serialized, .timeLimit(.minutes(20))) struct ConsoleDifferenceTests {
    @Test func `what fixing will do is listed before, and a difference has an owner and notes in the next run too`()
        async throws
    {
        try await ConsoleHouse.open(Noon.setting) { console in
            let payment = try await console.gateway.pay("5000")
            let browser = try await console.browser(as: "finance-1")
            for run in 1...2 {
                try await browser.open("/console/reconciliations")
                try await browser.submit("/console/reconciliations", [("from", Noon.day()), ("to", Noon.day(1))])
                try await eventually("it is compared") {
                    try await browser.open("/console/reconciliations/\(run)").text.contains("completed")
                }
                #expect(browser.page.text.contains("stays for a person"), "\(browser.page)")
                let item = try #require(
                    browser.page.text.firstMatch(of: #/href="(/console/reconciliations/\d+/items/\d+)"/#)?.1)
                let page = try await browser.open(String(item))
                #expect(page.text.contains(payment.impUID), "\(page)")
                if run == 1 {
                    try await browser.submit("\(item)/take")
                    try await browser.submit("\(item)/note", [("reason", "asked <b>PortOne</b>")])
                }
                #expect(browser.page.text.contains("Fin Cho") && browser.page.text.contains("asked &lt;b&gt;PortOne"))
            }
            #expect(try await browser.open("/console/reconciliations/1/items/999").status == 404)
            let acts = try await console.house.books.texts("SELECT act FROM difference_act ORDER BY id")
            #expect(acts == ["assign", "note"])
        }
    }
}
