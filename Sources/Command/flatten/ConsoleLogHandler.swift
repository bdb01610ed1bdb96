import Logging

/// Passes the library's log messages to the console: warnings and errors always, the rest with --verbose.
struct ConsoleLogHandler: LogHandler {
    let console: Console
    var logLevel: Logger.Level
    var metadata: Logger.Metadata = [:]

    init(console: Console) {
        self.console = console
        logLevel = console.isQuiet ? .error : console.isVerbose ? .debug : .warning
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let facts = metadata.merging(event.metadata ?? [:]) { $1 }
            .sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
        if event.level >= .warning {
            console.warn("\(event.message)\(facts)")
        } else {
            console.note("\(event.message)\(facts)")
        }
    }
}
