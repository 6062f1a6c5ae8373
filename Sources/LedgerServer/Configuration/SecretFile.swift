import Foundation
import Glibc

/// A file with one secret, as containers and systemd provide it.
struct SecretFile: Sendable {
    /// The name in error messages, such as `LEDGERD_JWT_SECRET_FILE (environment)`.
    let place: String
    let path: String

    /// The maximum size: a wrong path can name a log file or an endless device.
    private static let mostBytes = 65_536

    /// The content, without the line break that editors append.
    ///
    /// - Throws: ``ConfigurationError`` when the file can't be read, is empty, or is not UTF-8.
    func text() throws(ConfigurationError) -> String {
        let bytes = try bytes()
        guard bytes.count <= Self.mostBytes else { throw refusal("is too long for a secret") }
        guard var text = String(validating: bytes, as: UTF8.self) else { throw refusal("is not UTF-8 text") }
        if text.last?.isNewline == true { text.removeLast() }
        guard !text.isEmpty else { throw refusal("is empty") }
        return text
    }

    private func bytes() throws(ConfigurationError) -> [UInt8] {
        guard let file = fopen(path, "re") else { throw unreadable() }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: Self.mostBytes + 1)
        let count = fread(&bytes, 1, bytes.count, file)
        guard ferror(file) == 0 else { throw unreadable() }
        return Array(bytes.prefix(count))
    }

    private func unreadable() -> ConfigurationError {
        refusal("can't be read: \(String(cString: strerror(errno)))")
    }

    private func refusal(_ reason: String) -> ConfigurationError {
        .invalidFile("\(place): \(path) \(reason)")
    }
}

extension ConfigurationSource {
    /// The files of the variables `LEDGERD_…_FILE`, one per secret that is not in the environment itself.
    ///
    /// - Throws: ``ConfigurationError`` for a secret that is set both ways.
    static func secretFiles(_ variables: [String: String]) throws(ConfigurationError) -> Self {
        var files: [String: SecretFile] = [:]
        for key in Settings.all where key.isSecret {
            guard let path = variables[key.fileVariable], !path.isEmpty else { continue }
            if let text = variables[key.variable], !text.isEmpty || key.takesEmpty {
                throw .conflict(key.name, "\(key.variable) and \(key.fileVariable) are both set; remove one")
            }
            files[key.name] = SecretFile(place: "\(key.fileVariable) (environment)", path: path)
        }
        return Self(files: files)
    }

    /// The credentials that systemd loaded: files `ledgerd_jwt_secret` and so on in `CREDENTIALS_DIRECTORY`.
    ///
    /// - Throws: ``ConfigurationError`` for a directory that can't be read, and for an unknown credential, because a
    ///   misspelt one would silently have no effect.
    static func credentials(_ variables: [String: String]) throws(ConfigurationError) -> Self {
        guard let directory = variables["CREDENTIALS_DIRECTORY"], !directory.isEmpty else { return Self(files: [:]) }
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: directory) else {
            throw .invalidFile("CREDENTIALS_DIRECTORY (environment): \(directory) can't be read")
        }
        let secrets = Settings.all.filter(\.isSecret).map(\.name)
        var files: [String: SecretFile] = [:]
        for name in names.sorted() {
            guard name.hasPrefix("ledgerd_") else { continue }
            let key = String(name.dropFirst("ledgerd_".count))
            guard secrets.contains(key) else { throw .unknown("\(name) (credential)", setting: key, among: secrets) }
            files[key] = SecretFile(place: "\(name) (credential)", path: "\(directory)/\(name)")
        }
        return Self(files: files)
    }

    private init(files: [String: SecretFile]) {
        self.init { name throws(ConfigurationError) in
            try files[name]?.text()
        } place: {
            files[$0]?.place ?? $0
        }
    }
}
