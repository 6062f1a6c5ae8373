import FoundationEssentials
import HTTPTestSupport
import Hummingbird
import SandboxSupport
import SandboxTestSupport
import TestSupport
import Testing

@testable import SandboxGateway

/// A file that a gateway keeps its state in, in a directory of its own.
///
/// What it holds while its gateway still runs is what a gateway that is killed leaves.
struct DataFile: Sendable {
    let path: String

    static func with(_ body: (DataFile) async throws -> Void) async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "sandbox-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        try await body(DataFile(path: directory.appending(path: "data").path))
    }

    /// A copy, as another gateway finds it after this one was killed.
    func left() throws -> DataFile {
        let copy = DataFile(path: path + "-")
        try copy.write(try bytes)
        return copy
    }

    var bytes: [UInt8] {
        get throws { Array(try Data(contentsOf: URL(filePath: path))) }
    }

    func write(_ bytes: [UInt8]) throws { try Data(bytes).write(to: URL(filePath: path)) }

    /// Runs `body` with a gateway that keeps its state here.
    func run(_ body: @escaping @Sendable (SandboxUnderTest) async throws -> Void) async throws {
        try await SandboxUnderTest.run(.router, { $0.dataFile = path }, body)
    }

    func open() throws -> (StateFile, SavedState) { try StateFile.open(path, logger: .quiet) }
}

@Suite(.timeLimit(.minutes(20))) struct DataFileTests {
    @Test func `a gateway that is killed loses nothing that was answered`() async throws {
        try await DataFile.with { data in
            try await data.run { sandbox in
                try await fill(sandbox)
                let before = try await seen(sandbox)
                try await data.left().run { restarted in
                    let after = try await seen(restarted)
                    for (request, answer) in before { #expect(after[request] == answer, "\(request)") }
                    #expect(try await cancel(restarted) == cancel(sandbox), "a repeat has its first answer")
                    #expect(try await restarted.callV2(.get, "/payments/v2")["amount"]["cancelled"] == .int(100))
                }
            }
        }
    }

    @Test func `a gateway goes on after a restart, and after the next`() async throws {
        try await DataFile.with { data in
            try await data.run { sandbox in
                try await fill(sandbox)
                let left = try data.left()
                try await left.run { restarted in
                    for order in ["v1", "registered-v1", "registered-v2"] {
                        let again = #"{"merchant_uid": "\#(order)", "amount": 1}"#
                        #expect(try await restarted.send(.post, "/sandbox/payments", json: again).status == 409)
                    }
                    let decided = try await restarted.send(
                        .patch, "/sandbox/payments/waiting", json: #"{"cancellation_status": "SUCCEEDED"}"#)
                    #expect(decided["v2_status"] == .string("CANCELLED"))
                    let earlier = try await listed(restarted)
                    _ = try await restarted.payV2(paymentID: "later")
                    let before = try await seen(restarted)
                    try await left.left().run { again in
                        #expect(try await listed(again) == earlier + ["later"])
                        let after = try await seen(again)
                        for (request, answer) in before { #expect(after[request] == answer, "\(request)") }
                    }
                }
            }
        }
    }

    @Test func `a webhook that its receiver did not take is sent after a restart`() async throws {
        try await DataFile.with { data in
            try await WebhookReceiver.run({ $0.dataFile = data.path }) { sandbox, receiver in
                receiver.answer(.internalServerError)
                _ = try await sandbox.payV2(#""amount": 1000, "status": "READY""#)
                let first = await receiver.messages.first { _ in true }
                try await eventually("its failure is in the file") {
                    let reported = try await sandbox.send(.get, "/sandbox/webhooks")["deliveries"].elements
                    return reported.map { $0["attempts"].elements.count } == [1]
                }
                let left = try data.left()
                try await SandboxUnderTest.run(.live, { $0.dataFile = left.path }) { restarted in
                    restarted.clock.advance(by: 60)
                    let second = await receiver.messages.first { _ in true }
                    #expect(second?.body == first?.body && second?.body != nil)
                    #expect(second?.headers["webhook-id"] == first?.headers["webhook-id"])
                }
            }
        }
    }

    @Test func `held webhooks are held after a restart, and released ones are gone`() async throws {
        try await DataFile.with { data in
            try await WebhookReceiver.run({ $0.dataFile = data.path }) { sandbox, _ in
                let hold = #"{"act": "hold", "times": 9}"#
                @Sendable func states(_ sandbox: SandboxUnderTest) async throws -> [String] {
                    try await sandbox.send(.get, "/sandbox/webhooks")["deliveries"].elements.map { $0["state"].text }
                }
                _ = try await sandbox.send(.put, "/sandbox/webhooks/plan", json: hold)
                _ = try await sandbox.payV2()
                let left = try data.left()
                try await left.run { restarted in
                    let after = try await states(restarted)
                    #expect(after == ["held", "held"])
                }
                _ = try await sandbox.send(.post, "/sandbox/webhooks/release", json: "{}")
                try await eventually("both are sent") { try await states(sandbox) == ["succeeded", "succeeded"] }
                try await data.left().run { restarted in
                    let after = try await states(restarted)
                    #expect(after == ["succeeded", "succeeded"])
                }
            }
        }
    }
}

@Suite(.timeLimit(.minutes(20))) struct StateFileTests {
    private static let header = #"{"portone-sandbox":1}"# + "\n"

    @Test(arguments: [
        ("not ours\n", "is not a data file"), ("not ours", "is not a data file"),
        (#"{"portone-sandbox":2}"# + "\n", "is not a data file"), (header + "{}\n", "is broken in line 2"),
        (header + #"{"clock":{"offset":1}}"# + "\n\n", "is broken in line 3"),
        (header + #"{"clock":{"offset":1}}"# + "\n\0\0\0\n", "is broken in line 3"),
    ])
    func `a file that can't be read is named, and stays as it is`(text: String, reason: String) async throws {
        try await DataFile.with { data in
            try data.write(Array(text.utf8))
            let error = #expect(throws: SandboxGatewayError.self) { try data.open() }
            #expect(error?.description.hasPrefix(data.path + " " + reason) == true, "\(String(describing: error))")
            #expect(error?.description.contains("file away") ?? false)
            #expect(try data.bytes == Array(text.utf8))
        }
    }

    @Test func `a file that can't be opened, or is in use, is named`() async throws {
        try await DataFile.with { data in
            let directory = URL(filePath: data.path).deletingLastPathComponent().path
            for path in [directory, directory + "/missing/data"] {
                let error = #expect(throws: SandboxGatewayError.self) { try DataFile(path: path).open() }
                #expect(error?.description.hasPrefix(path + " can't be opened: ") ?? false)
            }
            let (file, _) = try data.open()
            let error = #expect(throws: SandboxGatewayError.self) { try data.open() }
            #expect(error?.description == data.path + " is in use by another portone-sandbox")
            withExtendedLifetime(file) {}
        }
    }

    @Test func `wherever a write was cut off, all before it is there`() async throws {
        try await DataFile.with { data in
            try await data.run { sandbox in
                try await fill(sandbox)
                let bytes = try data.bytes
                let ends = bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }.map { $0 + 1 }
                let cut = DataFile(path: data.path + "-cut")
                for (line, end) in ends.enumerated() {
                    let whole = try cut.state(of: bytes[..<end])
                    for length in [1, 2] where line + 1 < ends.count {
                        let torn = try cut.state(of: bytes[..<(ends[line + 1] - length)])
                        #expect(torn == whole, "line \(line)")
                    }
                }
                #expect(try cut.state(of: bytes[...]).filter { $0.contains("imp_") }.count > 5)
            }
        }
    }

    @Test func `a start keeps only the latest of everything`() async throws {
        try await DataFile.with { data in
            try await data.run { sandbox in
                let payment = try await sandbox.pay(#""amount": 1000, "status": "ready", "pay_method": "vbank""#)
                for amount in 1...50 {
                    _ = try await sandbox.call(.put, "/vbanks/\(payment)", json: #"{"amount": \#(amount)}"#)
                }
                let left = try data.left()
                let before = try left.bytes.count
                _ = try left.open()
                #expect(try left.bytes.count < before / 20)
                try await left.run { restarted in
                    let latest = try await restarted.call(.get, "/payments/\(payment)")["response"]
                    #expect(latest["amount"] == .int(50))
                }
            }
        }
    }

    @Test func `what can't be written is not answered`() async throws {
        try await DataFile.with { data in
            let (file, _) = try data.open()
            let router = Router(context: SandboxRequestContext.self)
            router.add(
                middleware: EdgeMiddleware(
                    journal: RequestJournal(capacity: 16, masks: .portOne, now: { .now }), logger: .quiet,
                    isBroken: { file.isBroken }))
            router.get("x") { _, _ in HTTPResponse.Status.ok }
            try await Application(router: router, logger: .quiet).test(.router) { client in
                #expect(try await client.execute(uri: "/x", method: .get).status == .ok)
                let before = try data.bytes
                // No JSON number is infinite.
                file.append([.clock(offset: 1), .clock(offset: .infinity)])
                #expect(file.isBroken)
                file.append([.clock(offset: 2)])
                #expect(try data.bytes == before)
                #expect(try await client.execute(uri: "/x", method: .get).status == .internalServerError)
            }
        }
    }
}

extension DataFile {
    /// The records of a file with these bytes.
    fileprivate func state(of bytes: ArraySlice<UInt8>) throws -> [String] {
        try write(Array(bytes))
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return try open().1.records.map { String(decoding: try encoder.encode($0), as: UTF8.self) }.sorted()
    }
}

/// Makes something of everything that a gateway knows.
private func fill(_ sandbox: SandboxUnderTest) async throws {
    let buyer = #""name": "코인 \"100\"/개\n", "buyer_name": "홍 길동", "custom_data": {"user": "u1", "of": [1.5, null]}"#
    let paid = try await sandbox.pay(#""amount": 14.2, "currency": "USD", \#(buyer)"#, merchantUID: "v1")
    _ = try await sandbox.call(.post, "/payments/cancel", json: #"{"imp_uid": "\#(paid)", "amount": 4.1}"#)
    _ = try await sandbox.pay(#""amount": 1, "status": "failed", "fail_reason": "한도초과""#, merchantUID: "retried")
    _ = try await sandbox.pay(
        #""amount": 1, "status": "ready", "pay_method": "vbank", "version": "both""#, merchantUID: "retried")
    _ = try await sandbox.payV2(#""amount": 1000, "tax_free": 100, "sandbox": true, \#(buyer)"#, paymentID: "v2")
    _ = try await cancel(sandbox)
    _ = try await sandbox.payV2(paymentID: "disputed")
    _ = try await sandbox.send(.patch, "/sandbox/payments/disputed", json: #"{"dispute": "open"}"#)
    _ = try await sandbox.payV2(#""amount": 1000, "cancel_outcome": "requested""#, paymentID: "waiting")
    _ = try await sandbox.callV2(.post, "/payments/waiting/cancel", json: #"{"reason": "r"}"#)
    _ = try await sandbox.call(
        .post, "/payments/prepare", json: #"{"merchant_uid": "registered-v1", "amount": 10.5, "currency": "USD"}"#)
    _ = try await sandbox.callV2(.post, "/payments/registered-v2/pre-register", json: #"{"totalAmount": 2000}"#)
    _ = try await sandbox.send(.put, "/sandbox/clock", json: #"{"advance_seconds": 1800}"#)
}

/// Cancels a part with a key, so that a repeat changes nothing.
private func cancel(_ sandbox: SandboxUnderTest) async throws -> String {
    let answer = try await sandbox.callV2(
        .post, "/payments/v2/cancel", json: #"{"reason": "r", "amount": 100}"#, key: #""0123456789abcdef""#)
    #expect(answer.status == 200, "\(answer.text)")
    return answer.text
}

/// What the gateway answers to look-ups, by the request.
private func seen(_ sandbox: SandboxUnderTest) async throws -> [String: String] {
    var answers: [String: String] = [:]
    for path in ["/payments/status/all?limit=100", "/payments/prepare/registered-v1", "/payments/findAll/retried"] {
        answers["V1 " + path] = try await sandbox.call(.get, path).text
    }
    for path in ["/payments-by-cursor", "/payment-events-by-cursor", "/payments", "/payments/retried/transactions"] {
        answers["V2 " + path] = try await sandbox.callV2(
            .get, path, json: path.hasSuffix("cursor") ? #"{"size": 100}"# : nil
        )
        .text
    }
    for path in ["payments/v1", "payments/v2", "payments/waiting", "clock", "webhooks"] {
        answers[path] = try await sandbox.send(.get, "/sandbox/" + path).text
    }
    return answers
}

/// The ids of the payments that V2 lists, in their order.
private func listed(_ sandbox: SandboxUnderTest) async throws -> [String] {
    let answer = try await sandbox.callV2(.get, "/payments-by-cursor", json: #"{"size": 100}"#)
    return answer["items"].elements.map { $0["payment"]["id"].text }
}
