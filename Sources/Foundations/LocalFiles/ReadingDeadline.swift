package import Diagnostics

extension ContinuousClock.Instant? {
    /// Throws `.timeout` once the deadline for reading has passed; nil never does.
    /// - Parameters:
    ///   - stage: the next step.
    ///   - file: the file of that step, if there is one.
    package func check(before stage: FlatteningError.Stage, file: String? = nil) throws(FlatteningError) {
        guard let self, ContinuousClock.now >= self else { return }
        throw FlatteningError(
            .timeout, "the time allowed was used up while the capture was read", file: file, stage: stage,
            advice: "Allow more time, or give fewer or smaller files")
    }
}
