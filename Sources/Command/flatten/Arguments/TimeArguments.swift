import ArgumentParser

/// `--timeout`: how long the whole run may take.
struct TimeArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Give up after this time, reading and writing included; outputs written before stay. In seconds, or as 90s, 1.5m, \
            1h30m; 0 for no limit. By default \(TimeSpan(seconds: TimeLimit.secondsOfCapture)) for each capture.
            """, valueName: "time"))
    var timeout: TimeSpan?

    /// Seconds for one capture; 0 for no limit.
    var secondsOfOne: Double { timeout?.seconds ?? TimeLimit.secondsOfCapture }

    /// The time limit, counted from the start of the program.
    /// - Parameter captures: the number of captures in the run.
    func limit(captures: Int = 1) -> TimeLimit { TimeLimit(timeout, captures: captures) }
}
