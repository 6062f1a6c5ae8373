package import ArgumentParser

/// The commands of the program.
package enum Commands {
    /// All of them, in the order of the help.
    ///
    /// - Parameter pages: the console.
    package static func all<Pages: AdminPages>(with pages: Pages.Type) -> [any ParsableCommand.Type] {
        [
            ServeCommand<Pages>.self, MigrateCommand.self, ProductsCommand.self, UsersCommand.self,
            PurchasesCommand.self, ReceiptsCommand.self,
            FindingsCommand.self, RefundsCommand.self, GrantsCommand.self, GiftsCommand.self, BalanceAlertsCommand.self,
            TopUpsCommand.self, CampaignsCommand.self,
            VerifyCommand.self, ReconcileCommand.self,
            DifferencesCommand.self,
            SettlementCommand.self, DisputesCommand.self, ProvidersCommand.self, PayoutsCommand.self,
            ExportCommand.self, PoliciesCommand.self, AdjustmentsCommand.self, RevaluationsCommand.self,
            CloseCommand.self, CustodyCommand.self, SealCommand.self, ArchiveCommand.self, EventsCommand.self,
            EndpointsCommand.self, DoctorCommand.self,
            DrillCommand.self, TokenCommand.self, SettingsCommand.self, InitCommand.self, CheckCommand<Pages>.self,
            HealthCommand.self, MCPCommand.self, DevCommand.self,
        ]
    }
}
