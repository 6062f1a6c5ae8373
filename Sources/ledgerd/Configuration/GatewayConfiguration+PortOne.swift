extension GatewayConfiguration {
    /// How PortOne's V1 API is reached.
    struct PortOneV1: Sendable {
        let url: String
        let key: String
        let secret: String

        /// Nil when V1 is off, which is when it has neither key nor secret.
        ///
        /// One without the other is a mistake.
        init?(_ values: ConfigurationValues) throws(ConfigurationError) {
            url = try values.required(ConfigurationKeys.portOneV1URL)
            switch (
                try values.value(ConfigurationKeys.portOneV1Key), try values.value(ConfigurationKeys.portOneV1Secret)
            ) {
            case (.none, .none): return nil
            case (.some(let key), .some(let secret)): (self.key, self.secret) = (key, secret)
            case (.some, .none): throw .conflict("portone_v1_secret", "portone_v1_key is set without portone_v1_secret")
            case (.none, .some): throw .conflict("portone_v1_key", "portone_v1_secret is set without portone_v1_key")
            }
        }
    }

    /// How PortOne's V2 API is reached.
    struct PortOneV2: Sendable {
        let url: String
        let secret: String
        /// The store whose payments are taken.
        let storeID: String
        /// What webhooks are signed with, two while one replaces the other; none, and none are taken.
        let webhookSecrets: [String]

        /// Nil when V2 is off, which is when it has no secret.
        init?(_ values: ConfigurationValues) throws(ConfigurationError) {
            url = try values.required(ConfigurationKeys.portOneV2URL)
            webhookSecrets = try values.value(ConfigurationKeys.portOneV2WebhookSecret) ?? []
            guard let secret = try values.value(ConfigurationKeys.portOneV2Secret) else { return nil }
            guard let storeID = try values.value(ConfigurationKeys.portOneV2StoreID) else {
                throw .conflict("portone_v2_store_id", "portone_v2_secret is set without portone_v2_store_id")
            }
            self.storeID = storeID
            self.secret = secret
        }
    }
}
