extension Decimal {
    /// The nearest number of binary digits.
    package var double: Double { Double(description) ?? .nan }
}
