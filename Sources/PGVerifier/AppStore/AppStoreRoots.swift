import JWTKit
import SwiftASN1
import X509

/// The root certificates that the App Store's signatures must lead to.
package struct AppStoreRoots: Sendable {
    let verifier: X5CVerifier

    /// Reads one or more certificates in PEM.
    ///
    /// - Throws: ``UnusableSetting``.
    package init(pem: String) throws(UnusableSetting) {
        do {
            let certificates = try PEMDocument.parseMultiple(pemString: pem).map(Certificate.init(pemDocument:))
            verifier = try X5CVerifier(rootCertificates: certificates)
        } catch {
            throw UnusableSetting("the root certificates can't be read: one or more in PEM are required")
        }
    }

    /// Apple Root CA - G3, until 2039-04-30.
    package static let apple: AppStoreRoots = {
        do throws(UnusableSetting) {
            return try AppStoreRoots(pem: appleRootG3)
        } catch {
            preconditionFailure("Apple Root CA - G3 is a certificate")
        }
    }()

    /// SHA-256 of the certificate: 63343abfb89a6a03ebb57e9b3f5fa7be7c4f5c756f3017b3a8c488c3653e9179
    /// (<https://www.apple.com/certificateauthority/>, AppleRootCA-G3.cer).
    static let appleRootG3 = """
        -----BEGIN CERTIFICATE-----
        MIICQzCCAcmgAwIBAgIILcX8iNLFS5UwCgYIKoZIzj0EAwMwZzEbMBkGA1UEAwwS
        QXBwbGUgUm9vdCBDQSAtIEczMSYwJAYDVQQLDB1BcHBsZSBDZXJ0aWZpY2F0aW9u
        IEF1dGhvcml0eTETMBEGA1UECgwKQXBwbGUgSW5jLjELMAkGA1UEBhMCVVMwHhcN
        MTQwNDMwMTgxOTA2WhcNMzkwNDMwMTgxOTA2WjBnMRswGQYDVQQDDBJBcHBsZSBS
        b290IENBIC0gRzMxJjAkBgNVBAsMHUFwcGxlIENlcnRpZmljYXRpb24gQXV0aG9y
        aXR5MRMwEQYDVQQKDApBcHBsZSBJbmMuMQswCQYDVQQGEwJVUzB2MBAGByqGSM49
        AgEGBSuBBAAiA2IABJjpLz1AcqTtkyJygRMc3RCV8cWjTnHcFBbZDuWmBSp3ZHtf
        TjjTuxxEtX/1H7YyYl3J6YRbTzBPEVoA/VhYDKX1DyxNB0cTddqXl5dvMVztK517
        IDvYuVTZXpmkOlEKMaNCMEAwHQYDVR0OBBYEFLuw3qFYM4iapIqZ3r6966/ayySr
        MA8GA1UdEwEB/wQFMAMBAf8wDgYDVR0PAQH/BAQDAgEGMAoGCCqGSM49BAMDA2gA
        MGUCMQCD6cHEFl4aXTQY2e3v9GwOAEZLuN+yRhHFD/3meoyhpmvOwgPUnPWTxnS4
        at+qIxUCMG1mihDK1A3UT82NQz60imOlM27jbdoXt2QfyFMm+YhidDkLF1vLUagM
        6BgD56KyKA==
        -----END CERTIFICATE-----
        """
}

/// A setting of a gateway that can't be used.
package struct UnusableSetting: Error, Hashable, Sendable, CustomStringConvertible {
    /// The broken rule; never the value, which can be a secret.
    package let rule: String

    package var description: String { rule }

    init(_ rule: String) {
        self.rule = rule
    }
}
