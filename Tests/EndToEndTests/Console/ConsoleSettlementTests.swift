import EndToEndSupport
import Foundation
import LedgerTestSupport
import TestSupport
import Testing

/// Finance uploads a settlement file, sees what each line will do, books it, and explains what is left.
@Suite(.serialized, .timeLimit(.minutes(20))) struct ConsoleSettlementTests {
    private static func workbook(_ rows: [[String]]) -> String {
        let names = ["고객사 주문번호", "거래금액", "수수료", "부가세", "정산금액", "정산일자"]
        let cells = ([["정산내역서"], names] + rows).map { $0.map { SampleWorkbook.Cell.shared($0) } }
        return Data(SampleWorkbook([("정산", cells)]).bytes).base64URL
    }

    @Test func `a workbook is mapped, previewed and booked, and the next one has the same columns`() async throws {
        try await ConsoleHouse.open(Noon.setting) { console in
            let payment = try await console.buy().payment
            let browser = try await console.browser(as: "finance-1")
            let content = Self.workbook([
                [payment.merchantUID, "5,000", "150", "15", "4,835", Noon.day()],
                ["others-1", "700", "-", "", "700", Noon.day()],
                ["others-2", "300", "-", "", "300", Noon.day()],
                ["합계", "6,000", "150", "15", "5,835", ""],
            ])
            let file = [("name", "정산.xlsx"), ("content", content), ("gateway", "portone-v1")]
            try await browser.open("/console/settlements")
            let preview = try await browser.submit("/console/settlements/preview", file)
            #expect(preview.status == 200 && preview.text.contains("will be booked"), "\(preview)")
            #expect(preview.text.contains("<option value=\"고객사 주문번호\" selected>"), "\(preview)")
            #expect(preview.text.contains("₩4,835") && preview.text.contains("합계"), "\(preview)")
            #expect(!preview.text.contains("As mapped last"))
            #expect(try await console.house.books.texts("SELECT name FROM settlement_file").isEmpty)
            // Other columns, which don't add up, name the line and the column.
            let wrong = try await browser.submit("/console/settlements/preview", [("net", "거래금액")])
            #expect(wrong.text.contains("line 3, column 거래금액") && !wrong.text.contains("settlements/book"), "\(wrong)")

            try await browser.open("/console/settlements")
            try await browser.submit("/console/settlements/preview", file)
            // Columns that can't be remembered keep no file from being booked.
            try await console.house.ledger.execute(
                "ALTER TABLE settlement_columns ADD CONSTRAINT refused CHECK (false) NOT VALID")
            let booked = try await browser.submit("/console/settlements/book")
            #expect(booked.text.contains("The file is booked") && booked.text.contains("₩4,835"), "\(booked)")
            try await console.house.ledger.execute("ALTER TABLE settlement_columns DROP CONSTRAINT refused")
            try await browser.open("/console/settlements")
            let forgotten = try await browser.submit("/console/settlements/preview", file)
            #expect(!forgotten.text.contains("As mapped last"), "\(forgotten)")
            try await browser.submit("/console/settlements/book")
            try await browser.open("/console/settlements")
            let again = try await browser.submit("/console/settlements/preview", file)
            #expect(again.text.contains("As mapped last") && again.text.contains("same line"), "\(again)")

            let page = try await browser.open("/console/settlements/1/lines/4/dismiss")
            #expect(page.text.contains("others-1"), "\(page)")
            let explained = try await browser.submit(
                "/console/settlements/1/lines/4/dismiss", [("kind", "other_goods"), ("reason", "books")])
            #expect(
                explained.text.contains("wait for a second look") && explained.text.contains("other goods"),
                "\(explained)")
            #expect(!explained.text.contains("lines/4/check"), "\(explained)")
            #expect(!explained.text.contains("at a terminal"), "\(explained)")
            try await console.house.ledger.execute(
                """
                INSERT INTO settlement_dismissal (row_id, payment, reason, dismissed_by, kind)
                SELECT id, payment, 'x', 'terminal:root', 'other' FROM settlement_row WHERE payment = 'others-2'
                """)
            let marked = try await browser.open("/console/settlements")
            #expect(marked.text.contains("terminal:root") && marked.text.contains("at a terminal"), "\(marked)")
            let other = try await console.browser(as: "administrator-1")
            try await other.open("/console/settlements")
            let confirmed = try await other.submit("/console/settlements/1/lines/4/check")
            #expect(confirmed.text.contains("The explanation is confirmed") && !confirmed.text.contains("others-1"))
        }
    }

    @Test func `an earnings file of Google Play is booked by the day of its payout`() async throws {
        try await ConsoleHouse.open { console in
            let order = try await console.house.creditAtPlay()
            let text = EarningsFile([(order, "Charge", "1000"), (order, "Google fee", "-150")]).text
            let file = [("name", "PlayApps_202601.csv"), ("content", Data(text.utf8).base64URL)]
            let browser = try await console.browser(as: "finance-1")
            try await browser.open("/console/settlements")
            let wrong = try await browser.submit("/console/settlements/preview", file + [("paid_out_on", "soon")])
            #expect(wrong.status == 400, "\(wrong)")
            try await browser.open("/console/settlements")
            let preview = try await browser.submit(
                "/console/settlements/preview", file + [("paid_out_on", "2026-02-15")])
            #expect(preview.status == 200 && preview.text.contains("will be booked"), "\(preview)")
            #expect(preview.text.contains("₩850") && !preview.text.contains("Columns of the file"), "\(preview)")
            let booked = try await browser.submit("/console/settlements/book")
            #expect(booked.text.contains("The file is booked") && booked.text.contains("₩850"), "\(booked)")
            #expect(try await console.house.books.texts("SELECT name FROM settlement_file").count == 1)
            #expect(try await console.house.books.texts("SELECT gateway FROM settlement_columns").isEmpty)
            try await console.house.expectSound()
        }
    }

    @Test func `of a finance report of the App Store a person books what the books have, after seeing what they lack`()
        async throws
    {
        try await ConsoleHouse.open { console in
            _ = try await console.house.creditInAppStore()
            try await console.house.ledger.execute(
                """
                INSERT INTO store_product (store, app, product_id, product, set_by)
                VALUES ('app-store', 'com.example.coins', 'c100', 'coins_100', 'finance')
                """)
            let text = FinanceReportFile([("c100", "S", "2", "1400")]).text
            let file = [
                ("name", "report.txt"), ("content", Data(text.utf8).base64URL), ("gateway", "app-store"),
                ("paid_out_on", "2026-03-05"),
            ]
            let browser = try await console.browser(as: "finance-1")
            try await browser.open("/console/settlements")
            let lacking = try await browser.submit("/console/settlements/preview", file)
            #expect(lacking.text.contains("report has 2 pieces sold, the books 1"), "\(lacking)")
            #expect(!lacking.text.contains("settlements/book"), "\(lacking)")
            let preview = try await browser.submit("/console/settlements/preview")
            #expect(preview.text.contains("report has 2 pieces sold, the books 1"), "\(preview)")
            #expect(preview.text.contains("will be booked") && preview.text.contains("₩700"), "\(preview)")
            let booked = try await browser.submit("/console/settlements/book")
            #expect(booked.text.contains("The file is booked") && booked.text.contains("₩700"), "\(booked)")
            try await console.house.expectSound()
        }
    }

    @Test func `a report in dollars is booked with the exchange rate and proceeds that its preview was shown for`()
        async throws
    {
        try await ConsoleHouse.open { console in
            try await console.house.creditInDollars()
            try await console.house.ledger.execute(
                """
                INSERT INTO store_product (store, app, product_id, product, set_by)
                VALUES ('app-store', 'com.example.coins', 'c100', 'coins_100', 'finance')
                """)
            var report = FinanceReportFile()
            report.add("c100", "S", "1", "0.69", currency: "USD", customers: "USD")
            let file = [
                ("name", "report.txt"), ("content", Data(report.text.utf8).base64URL), ("gateway", "app-store"),
                ("paid_out_on", "2026-03-05"), ("currency", "USD"), ("exchange_rate", "1400"),
            ]
            let browser = try await console.browser(as: "finance-1")
            try await browser.open("/console/settlements")
            let lacking = try await browser.submit("/console/settlements/preview", file)
            #expect(lacking.status == 400 && lacking.text.contains("Proceeds must be"), "\(lacking)")
            try await browser.open("/console/settlements")
            let preview = try await browser.submit("/console/settlements/preview", file + [("proceeds", "966")])
            #expect(preview.text.contains("will be booked") && preview.text.contains("₩966"), "\(preview)")
            let booked = try await browser.submit("/console/settlements/book")
            #expect(booked.text.contains("The file is booked") && booked.text.contains("₩966"), "\(booked)")
            try await console.house.expectSound()
        }
    }
}
