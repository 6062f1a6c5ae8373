extension GatewayConfiguration {
    /// The access to PortOne's V1 API.
    struct PortOneV1: Sendable {
        let url: String
        let key: String
        let secret: String

        /// Nil if V1 is off: it has neither a key nor a secret.
        ///
        /// One without the other is an error.
        init?(_ values: SettingValues) throws(ConfigurationError) {
            url = try values[Settings.gateways.v1URL]
            switch (
                try values[Settings.gateways.v1Key], try values[Settings.gateways.v1Secret]
            ) {
            case (.none, .none): return nil
            case (.some(let key), .some(let secret)): (self.key, self.secret) = (key, secret)
            case (.some, .none): throw .conflict("portone_v1_secret", "portone_v1_key is set without portone_v1_secret")
            case (.none, .some): throw .conflict("portone_v1_key", "portone_v1_secret is set without portone_v1_key")
            }
        }
    }

    /// The access to PortOne's V2 API.
    struct PortOneV2: Sendable {
        let url: String
        let secret: String
        /// The store whose payments are accepted.
        let storeID: String
        /// The secrets of webhook signatures, two while one replaces the other; without one, webhooks are refused.
        let webhookSecrets: [String]

        /// Nil if V2 is off: it has no secret.
        init?(_ values: SettingValues) throws(ConfigurationError) {
            url = try values[Settings.gateways.v2URL]
            webhookSecrets = try values[Settings.webhooks.v2Secrets] ?? []
            guard let secret = try values[Settings.gateways.v2Secret] else { return nil }
            guard let storeID = try values[Settings.gateways.v2StoreID] else {
                throw .conflict("portone_v2_store_id", "portone_v2_secret is set without portone_v2_store_id")
            }
            self.storeID = storeID
            self.secret = secret
        }
    }
}
