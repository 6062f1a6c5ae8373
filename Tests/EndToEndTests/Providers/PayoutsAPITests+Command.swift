import Foundation
import Testing

/// Terms and payouts by command.
extension PayoutsAPITests {
    @Test func `an operator sets terms and pays out by command`() async throws {
        try await House.open { house, gateway, service in
            #expect(try await service.present(try await gateway.pay("5000")).status == 201)
            let settings = ["LEDGERD_DATABASE_URL": house.ledger.serviceURL]
            let set = try await house.run(
                "providers", "set", "designer-3", "--share", "8000", "--role", "agent", "--withholding", "none",
                with: settings)
            #expect(set.exit == .code(0) && set.output.hasPrefix("terms 1 apply since"), "\(set)")
            #expect(try await Self.capture(90, "c", on: service).status == 200)
            let listed = try await house.run("providers", with: settings)
            #expect(listed.output.contains("designer-3") && listed.output.contains("320"), "\(listed)")
            let proposed = try await house.run("payouts", "propose", "--by", "kim", with: settings)
            #expect(
                proposed.output == "payout 1 is proposed: 320 KRW to 1 providers, 0 KRW withheld\n", "\(proposed)")
            let own = try await house.run("payouts", "approve", "1", "--by", "kim", with: settings)
            #expect(own.exit == .code(1) && own.errors.contains("another person"), "\(own)")
            #expect(try await house.run("payouts", "approve", "1", "--by", "lee", with: settings).exit == .code(0))
            #expect(
                try await house.run("payouts", "file", "1", with: settings).output.contains("1,designer-3,320,0,0,320"))
            let list = house.directory.appending(path: "accounts.csv")
            try Data("provider,bank,account,holder\ndesigner-3,KB,0012,Hong\n".utf8).write(to: list)
            let file = try await house.run(
                "payouts", "file", "1", "--accounts", list.path, "--for", "excel", with: settings)
            #expect(file.output.contains(#",KB,"=""0012""",Hong"#), "\(file)")
            try Data("provider,bank,account,holder\nx,KB,0012,Hong\n".utf8).write(to: list)
            let lacking = try await house.run("payouts", "file", "1", "--accounts", list.path, with: settings)
            #expect(
                lacking.exit == .code(1) && lacking.errors.contains("no account is given for designer-3"), "\(lacking)")
            let paid = try await house.run(
                "payouts", "pay", "1", "--paid-at", Date().formatted(.iso8601), "--bank-reference", "x", "--by", "kim",
                with: settings)
            #expect(paid.exit == .code(0) && paid.output.contains("is paid"), "\(paid)")
            let withdrawn = try await house.run("payouts", "withdraw", "1", with: settings)
            #expect(withdrawn.exit == .code(1) && withdrawn.errors.contains("the payout is paid"), "\(withdrawn)")
            #expect(try await house.run("payouts", "--status", "paid", with: settings).output.contains("kim"))
            let statement = try await house.run("providers", "statement", "designer-3", with: settings)
            #expect(statement.output.contains("-320") && statement.output.contains("capture"), "\(statement)")
            try await house.expectSound()
        }
    }

    @Test func `first terms by command that name no withholding have the one that is set`() async throws {
        try await House.open { house, _, _ in
            let settings = [
                "LEDGERD_DATABASE_URL": house.ledger.serviceURL, "LEDGERD_PROVIDER_WITHHOLDING": "business_income",
            ]
            let unnamed = try await house.run(
                "providers", "set", "designer-1", "--share", "8000", "--role", "agent", with: settings)
            #expect(unnamed.exit == .code(0), "\(unnamed)")
            let named = try await house.run(
                "providers", "set", "designer-2", "--share", "8000", "--role", "agent", "--withholding", "none",
                with: settings)
            #expect(named.exit == .code(0), "\(named)")
            let withheld = try await house.books.texts("SELECT withholding FROM provider_terms ORDER BY id")
            #expect(withheld == ["business_income", "none"])
        }
    }
}
