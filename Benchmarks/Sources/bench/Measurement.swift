/// What one row's runs gave.
struct Measurement {
    /// One side of it.
    struct Side {
        /// The median, in seconds.
        let seconds: Double
        let facts: [String: Double]
        let peakMegabytes: Double

        init(_ seconds: some Sequence<Double>, _ end: (facts: [String: Double], peakMegabytes: Double)) {
            let sorted = seconds.sorted()
            self.seconds = sorted.isEmpty ? .nan : sorted[sorted.count / 2]
            (facts, peakMegabytes) = end
        }
    }

    let ours: Side?
    let peer: Side?
    let versions: [String: String]
    /// Why a side is missing.
    let absence: String?

    var timeRatio: Double? {
        guard let ours, let peer else { return nil }
        return ours.seconds / peer.seconds
    }

    var memoryRatio: Double? {
        guard let ours, let peer else { return nil }
        return ours.peakMegabytes / peer.peakMegabytes
    }
}
