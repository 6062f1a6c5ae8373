import Foundation
import Ledger
import Testing

@testable import LedgerServer

/// The manifests of packaging/kubernetes agree with the code.
///
/// Whether Kubernetes accepts them is checked by Tests/Conformance/kubernetes.
@Suite(.timeLimit(.minutes(20))) struct KubernetesTests {
    private func file(_ name: String) throws -> String {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        return try String(contentsOf: root.appending(path: name), encoding: .utf8)
    }

    /// A manifest's text without its comments.
    private func manifest(_ name: String) throws -> String {
        try file("packaging/kubernetes/\(name)").split(separator: "\n").filter { !$0.contains(/^ *#/) }
            .joined(separator: "\n")
    }

    /// The variables that a manifest sets, each in a line of its own.
    private func variables(_ name: String) throws -> [String: String] {
        let text = try manifest(name)
        let set = text.matches(of: /\{name: (LEDGERD_[A-Z0-9_]+), value: "([^"\n]*)"\}/)
        #expect(set.count == text.matches(of: /LEDGERD_/).count, "\(name) sets a variable in another form")
        return Dictionary(uniqueKeysWithValues: set.map { (String($0.1), String($0.2)) })
    }

    /// The first match's text in the Deployment.
    private func deployed(_ pattern: Regex<(Substring, Substring)>) throws -> String {
        let match = try manifest("base/deployment.yaml").firstMatch(of: pattern)
        return try #require(match.map { String($0.1) })
    }

    /// What `serve` gets of an overlay, with a secret in place of each file.
    private func environment(_ overlay: String) throws -> [String: String] {
        let patch = overlay == "example" ? "sandbox" : "settings"
        var environment = try variables("base/deployment.yaml").merging(variables("\(overlay)/\(patch).yaml")) { $1 }
        let key = Data(repeating: 7, count: 32).base64EncodedString()
        let secrets = [
            "database_url": "postgresql://ledgerd:hush@ledgerd-db-rw/ledgerd", "jwt_secret": TestHouse.secret,
            "portone_v2_secret": "hush", "portone_v2_webhook_secret": "whsec_\(key)",
        ]
        for (variable, path) in environment where variable.hasSuffix("_FILE") {
            let setting = try #require(Settings.all.first { $0.isSecret && $0.fileVariable == variable }, "\(variable)")
            #expect(path == "/etc/ledgerd/credentials/\(setting.name)")
            environment[variable] = nil
            environment[setting.variable] = secrets[setting.name] ?? key
        }
        return environment
    }

    private func configuration(_ environment: [String: String]) throws -> ServeConfiguration {
        try ServeConfiguration(SettingValues(environment: environment))
    }

    @Test func `the example's settings are complete, with the sandbox as gateway`() throws {
        let example = try configuration(environment("example"))
        #expect(example.gateways.portOneV1 != nil && !example.requireOrders)
        #expect(try example[Settings.books.sealKey] != nil)
    }

    @Test func `production's settings are refused until each placeholder is replaced`() throws {
        var environment = try environment("production")
        func refused() throws -> String? {
            try #require(throws: ConfigurationError.self) { try configuration(environment) }.key
        }
        #expect(try refused() == "trusted_proxies")
        environment["LEDGERD_TRUSTED_PROXIES"] = "10.42.0.0/16"
        #expect(try refused() == "portone_v2_store_id")
        environment["LEDGERD_PORTONE_V2_STORE_ID"] = "store-1"
        #expect(try configuration(environment).gateways.portOneV2 != nil)
        #expect(try manifest("production/kustomization.yaml").contains("newName: registry.invalid/"))
    }

    @Test func `ports and probes are the service's`() throws {
        let serving = try configuration(environment("example"))
        let (listen, admin) = (try serving[Settings.http.listen], try serving[Settings.http.adminListen])
        #expect(try deployed(/name: http\n +containerPort: (\d+)/) == "\(listen.port)")
        #expect(try deployed(/name: admin\n +containerPort: (\d+)/) == "\(try #require(admin).port)")
        let paths = Set(Operation.all.map(\.path))
        let live = try deployed(/livenessProbe:\n +httpGet:\n +path: (\S+)/)
        let started = try deployed(/startupProbe:\n +httpGet:\n +path: (\S+)/)
        let ready = try deployed(/readinessProbe:\n +httpGet:\n +path: (\S+)/)
        let scraped = try #require(try manifest("monitoring/service-monitor.yaml").firstMatch(of: /path: (\S+)/)).1
        #expect(live == "/health/live" && started == live && ready == "/health/ready" && scraped == "/metrics")
        #expect(paths.isSuperset(of: [live, ready, String(scraped)]))
    }

    @Test func `a stopping pod has the time that the service takes`() throws {
        let serving = try configuration(environment("example"))
        let (drain, deadline) = (try serving[Settings.http.shutdownDrain], try serving[Settings.http.shutdownDeadline])
        let grace = try #require(Int(deployed(/terminationGracePeriodSeconds: (\d+)/)))
        // As the service tells systemd: 10 s to end what it has cancelled.
        #expect(.seconds(grace) >= deadline + .seconds(10) && drain < deadline)
        let start = try deployed(/startupProbe:\n(?: +.*\n)*? +failureThreshold: (\d+)/)
        let patience = try serving[Settings.database.patience]
        #expect(.seconds(2 * (try #require(Int(start)))) >= patience + .seconds(60))
    }

    @Test func `the images have the version of this checkout`() throws {
        for name in ["base", "example"] {
            let tag = try manifest("\(name)/kustomization.yaml").firstMatch(of: /newTag: "(.+)"/)
            #expect(tag.map { String($0.1) } == BuildInfo.current.version)
        }
    }

    @Test func `the database has the roles that the ledger needs`() throws {
        let setup = try DatabaseSetup()
        let database = try manifest("base/database.yaml")
        let group = try #require(setup.script.firstMatch(of: /CREATE ROLE (\w+) NOLOGIN/)).1
        #expect(database.contains("- CREATE ROLE \(group) NOLOGIN\n"))
        #expect(database.contains("database: \(setup.database)\n      owner: \(setup.owner)\n"))
        #expect(database.contains("- name: \(setup.service)\n"))
        #expect(database.contains("inRoles:\n          - \(group)\n"))
        let migration = try variables("base/migration.yaml")
        #expect(migration == ["LEDGERD_DATABASE_URL_FILE": "/etc/ledgerd/migrate/database_url"])
    }

    @Test func `the page makes each secret that the manifests name`() throws {
        let page = try file("docs/kubernetes.md")
        let manifests = try ["deployment", "migration", "database"].map { try manifest("base/\($0).yaml") }.joined()
        let named = manifests.matches(of: /(?:secretName: |[sS]ecret:\n +name: )(\S+)/).map { String($0.1) }
        // The database's operator makes that of its authority.
        let ours = Set(named).subtracting(["ledgerd-db-ca"])
        #expect(ours.count == 4)
        for name in ours { #expect(page.contains("kubectl create secret generic \(name) "), "\(name)") }
        for path in try variables("base/deployment.yaml").values where path.hasPrefix("/etc/ledgerd/credentials/") {
            let name = path.dropFirst("/etc/ledgerd/credentials/".count)
            #expect(page.contains(try Regex("secrets/service/\(name)|for key in [a-z_ ]*\\b\(name)\\b")), "\(path)")
        }
    }
}
