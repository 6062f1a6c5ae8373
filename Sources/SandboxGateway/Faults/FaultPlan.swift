/// The faults that are still to strike, the first that matches first.
actor FaultPlan {
    private(set) var list: [Fault] = []

    /// Sets one path's fault; zero times clears it, and zero times of everything clears all.
    func set(_ fault: Fault) {
        list.removeAll {
            ($0.prefix == fault.prefix && $0.method == fault.method) || (fault.times == 0 && fault.prefix.isEmpty)
        }
        if fault.times > 0 { list.append(fault) }
    }

    /// Sets the whole plan, to be worked off in its order.
    func replace(by faults: [Fault]) {
        list = faults.filter { $0.times > 0 }
    }

    /// The fault that strikes a request, spent once.
    func take(_ method: String, _ path: String) -> Fault? {
        guard let index = list.firstIndex(where: { $0.strikes(method, path) }) else { return nil }
        let fault = list[index]
        list[index].spend()
        if list[index].times == 0 { list.remove(at: index) }
        return fault
    }
}
