extension Decimal {
    /// The nearest `Double`.
    package var double: Double { Double(description) ?? .nan }
}
