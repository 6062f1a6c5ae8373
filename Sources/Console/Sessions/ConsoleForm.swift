import Hummingbird
import Ledger
import LedgerServer
import WireFormats

/// The fields of a form.
struct ConsoleForm: Sendable {
    private let fields: [String: String]
    /// The bytes of the uploaded file; nil: none.
    let file: (name: String, bytes: [UInt8])?

    /// All fields as they came, by name, to send the same form again.
    var all: [(name: String, value: String)] { fields.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } }

    /// The most bytes of a file, in MiB and in bytes: its preview carries it in Base64, within ``maxUploadSize``.
    static let longestFileMiB = 8
    static let longestFile = longestFileMiB << 20
    /// The most bytes of a form with a file.
    static let maxUploadSize = 12 << 20

    init(_ fields: [String: String] = [:], file: (name: String, bytes: [UInt8])? = nil) {
        self.fields = fields
        self.file = file
    }

    /// Reads the body of a request.
    ///
    /// - Throws: `unsupported_media_type` for a body that is no form; `body_too_large`; `invalid_request`.
    init(_ request: Request) async throws {
        let type = request.headers[.contentType]?.split(separator: ";").first.map { $0.lowercased() }
        if type == "multipart/form-data" {
            let body = try await Self.upload(request)
            guard let form = MultipartForm(Array(body.readableBytesView), type: request.headers[.contentType] ?? "")
            else { throw Problem.invalid(member: "body", "the form can't be read") }
            guard (form.file?.bytes.count ?? 0) <= Self.longestFile else { throw Self.fileTooLarge(request) }
            self.init(form.fields, file: form.file)
            return
        }
        guard type == "application/x-www-form-urlencoded" else {
            throw Problem(.unsupportedMediaType, "the content type must be application/x-www-form-urlencoded")
        }
        let body = try await request.body.collect(upTo: LedgerdRequestContext.maxBodySize)
        guard let pairs = FormText.decodePairs(body.readableBytesView) else {
            throw Problem.invalid(member: "body", "the form is not percent-encoded UTF-8")
        }
        var fields: [String: String] = [:]
        for (name, value) in pairs where fields.updateValue(value, forKey: name) != nil {
            throw Problem.invalid(member: name, "\(name) is given twice")
        }
        self.init(fields)
    }

    private static func upload(_ request: Request) async throws -> ByteBuffer {
        do {
            return try await request.body.collect(upTo: maxUploadSize)
        } catch let error as any HTTPResponseError where error.status == .contentTooLarge {
            throw fileTooLarge(request)
        }
    }

    /// The person is told in their language what to do with the file.
    private static func fileTooLarge(_ request: Request) -> Problem {
        Problem(
            .bodyTooLarge, Texts.text("uploadTooLarge", Language(of: request)),
            members: ["max_bytes": .integer(Int64(longestFile))])
    }

    /// A field without surrounding spaces; nil if it is missing or empty.
    subscript(_ name: String) -> String? {
        guard let text = fields[name]?.trimmed, !text.isEmpty else { return nil }
        return text
    }

    /// A field that means something when it is empty, such as all; nil: it is empty.
    ///
    /// A browser sends also the empty fields of a form, so one that is missing was misspelt by something else.
    ///
    /// - Throws: `missing_member` for a form without the field.
    func emptiable(_ name: String) throws(Problem) -> String? {
        guard fields[name] != nil else { throw .missingMember("/\(name)", "\(name) is required, and can be empty") }
        return self[name]
    }

    /// A text of at most this many characters, without control characters; line breaks become spaces.
    ///
    /// - Throws: `missing_member` or `invalid_request` with the field's name.
    func text(_ name: String, most: Int = 256) throws(Problem) -> String {
        guard let given = self[name] else { throw .missingMember("/\(name)", "\(name) is required") }
        let text = given.replacing(#/\s+/#, with: " ")
        guard text.unicodeScalars.count <= most else {
            throw .invalid(member: name, "\(name) must have at most \(most) characters")
        }
        guard text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
            throw .invalid(member: name, "\(name) must not have control characters")
        }
        return text
    }

    /// One of a few words.
    ///
    /// - Throws: `missing_member` or `invalid_request` with the field's name.
    func choice<Value: RawRepresentable<String> & CaseIterable>(_ name: String) throws(Problem) -> Value {
        guard let value = Value(rawValue: try text(name)) else {
            throw .invalid(member: name, "\(name) must be \(Value.rule)")
        }
        return value
    }

    /// As ``text(_:most:)``, but it can be left out; then it is empty.
    func note(_ name: String) throws(Problem) -> String { self[name] == nil ? "" : try text(name) }

    /// A number of coins, if given.
    func coins(_ name: String) throws(Problem) -> Coins? {
        guard let text = self[name] else { return nil }
        guard let coins = Int64(text.replacing(",", with: "")).flatMap(Coins.init) else {
            throw .invalid(member: name, "\(name) must be an integer from 1 to \(Coins.most)")
        }
        return coins
    }

    /// The number of coins in `coins`.
    ///
    /// - Throws: `missing_member` or `invalid_request`.
    func requireCoins() throws(Problem) -> Coins {
        guard let coins = try coins("coins") else { throw .missingMember("/coins", "coins is required") }
        return coins
    }
}

extension ConsoleForm {
    /// What makes a form one act, however often it is sent.
    func once() throws(Problem) -> String {
        guard let text = self["once"], text.utf8.count == 43, Base64URL.decode(text.utf8) != nil else {
            throw .invalid(member: "once", "the form is not the console's own; open the page again")
        }
        return text
    }

    /// The bank account of a refund, if one is given: bank, number and holder are needed together.
    func account() throws(Problem) -> BankAccount? {
        guard ["bank", "number", "holder", "phone"].contains(where: { self[$0] != nil }) else { return nil }
        return BankAccount(
            bank: try text("bank"), number: try text("number"), holder: try text("holder"),
            phone: self["phone"] == nil ? nil : try text("phone"))
    }
}
