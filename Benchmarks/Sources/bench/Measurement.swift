/// What one row's runs gave.
struct Measurement {
    /// One side of it.
    struct Side {
        /// The median, in seconds.
        let seconds: Double
        let facts: [String: Double]
        let peakMegabytes: Double
        /// From the first quarter of the times to the third, as a share of the median.
        let spread: Double

        init(_ times: some Sequence<Double>, _ end: (facts: [String: Double], peakMegabytes: Double)) {
            let sorted = times.sorted()
            seconds = sorted.isEmpty ? .nan : sorted[sorted.count / 2]
            spread =
                sorted.isEmpty ? .nan : (sorted[sorted.count * 3 / 4] - sorted[sorted.count / 4]) / seconds
            (facts, peakMegabytes) = end
        }
    }

    let ours: Side?
    let peer: Side?
    let versions: [String: String]
    /// Why a side is missing.
    let absence: String?

    /// The spread above which times are too noisy to be judged.
    static let mostSpread = 0.25

    /// The greater spread of the two sides.
    var spread: Double { max(ours?.spread ?? 0, peer?.spread ?? 0) }

    var timeRatio: Double? {
        guard let ours, let peer else { return nil }
        return ours.seconds / peer.seconds
    }

    var memoryRatio: Double? {
        guard let ours, let peer else { return nil }
        return ours.peakMegabytes / peer.peakMegabytes
    }
}
