extension PostgresError {
    /// Whether TLS can't be agreed on: the server has none, its certificate is not trusted, or a certificate file can't
    /// be read.
    ///
    /// It stays refused until somebody changes a setting. libpq has no code for it; its texts are English, because no
    /// process of ours chooses a language (`setlocale`).
    package var isTLSRefused: Bool {
        guard code == .connectionFailed, sqlState == nil else { return false }
        return Self.wordsOfRefusedTLS.contains { message.contains($0) }
    }

    /// What libpq's `fe-secure-openssl.c` and `fe-connect.c` say; `SSL SYSCALL error`, a lost connection, is none of it.
    private static let wordsOfRefusedTLS = [
        "server does not support SSL", "SSL error: ", "server certificate for ", "host name from server certificate",
        "root certificate file", "certificate file", "private key file",
    ]
}
