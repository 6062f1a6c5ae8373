/// A gateway's name and an id of its own.
struct GatewayKey: Hashable {
    let gateway: ExactText
    let id: ExactText

    init(gateway: String, id: String) {
        self.gateway = ExactText(gateway)
        self.id = ExactText(id)
    }
}
