import Testing

@testable import Console
@testable import Ledger
@testable import LedgerServer

/// Who sees which pages in the navigation, which of them is marked, and how numbers are shown.
@Suite(.timeLimit(.minutes(20))) struct NavigationTests {
    @Test func `a role sees the groups and pages of its work, and no page that it may not open`() {
        func paths(_ role: Person.Role) -> [String] { Navigation.groups(of: role).flatMap(\.links).map(\.path) }
        for role in Person.Role.allCases {
            let groups = Navigation.groups(of: role)
            #expect(groups.allSatisfy { !$0.links.isEmpty })
            #expect(groups.flatMap(\.links).allSatisfy { role.rights.contains($0.right) }, "\(role)")
            #expect(Set(paths(role)).count == paths(role).count)
        }
        #expect(Navigation.groups(of: .administrator).map(\.id) == ["today", "customers", "todo", "books", "settings"])
        #expect(Navigation.groups(of: .support).map(\.id) == ["today", "customers", "todo", "settings"])
        #expect(Navigation.groups.flatMap(\.links).count == paths(.administrator).count)
        let engineers: Set = ["/console/endpoints", "/console/events"]
        for role in [Person.Role.support, .finance] { #expect(engineers.isDisjoint(with: paths(role))) }
        for role in [Person.Role.viewer, .administrator] { #expect(engineers.isSubset(of: paths(role))) }
    }

    @Test(arguments: [
        ("/console", "/console", "page"), ("/console", "/console/findings", nil),
        ("/console/findings", "/console/findings", "page"), ("/console/findings", "/console/findings/7", "true"),
        ("/console/findings", "/console/findingsx", nil), ("/console/search", "/console/customers/ann", "true"),
        ("/console/ledger", "/console/entries/7", "true"),
        ("/console/settlements#unmatched", "/console/settlements", nil),
    ])
    func `the page that is open is marked, and the one that it belongs to`(
        link: String, path: String, mark: String?
    ) throws {
        let found = try #require(Navigation.groups.flatMap(\.links).first { $0.path == link })
        #expect(Navigation.current(found, at: path) == mark)
    }

    @Test func `numbers are shown up to 99, and none for nothing`() {
        #expect([-1, 0, 1, 99, 100].map(Navigation.count) == [nil, nil, "1", "99", "99+"])
        var counts = WaitingCounts()
        counts.findings = 3
        counts.disputes = 2
        #expect(Navigation.total(of: Navigation.groups(of: .support), counts) == 3)
        #expect(Navigation.total(of: Navigation.groups(of: .finance), counts) == 5)
        // Approvals list bank accounts of providers for who may read the books.
        counts.accounts = 4
        func total(_ role: Person.Role) -> Int64 {
            Navigation.total(of: Navigation.groups(of: role), Navigation.counts(counts, for: role))
        }
        #expect(total(.support) == 3 && total(.finance) == 9)
    }

    @Test(arguments: ServiceEnvironment.allCases)
    func `each environment but production has a band, in both languages`(environment: ServiceEnvironment) {
        for language in Language.allCases {
            let band = EnvironmentBand.values(environment, language)
            #expect((band == nil) == (environment == .production))
            for value in band.map({ Array($0.values) }) ?? [] {
                #expect((value as? String).map { !$0.hasPrefix("environment") } == true, "\(value)")
            }
        }
    }
}
