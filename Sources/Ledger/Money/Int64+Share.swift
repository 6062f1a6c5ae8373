extension Int64 {
    /// The share that `part` of `whole` has in it, rounded down: all of it for the whole.
    ///
    /// Shares of growing parts never fall, so what falls to each step of a division in steps adds up to the whole.
    func share(_ part: Int64, of whole: Int64) -> Int64 {
        precondition(whole > 0 && (0...whole).contains(part), "a share is of a part of something")
        let (high, low) = multipliedFullWidth(by: part)
        return whole.dividingFullWidth((high, low)).quotient
    }
}
