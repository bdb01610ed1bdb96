import ArgumentParser
import FlattenServer
import DocumentArchive
import Foundation
import Hummingbird
import Logging
import ReceiptCapture

/// The program: what it is started with, and how it ends.
@main
struct FlattenServerTool: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "flatten-server",
        abstract: "Flatten receipts over HTTP, with a scanner for any phone's browser.",
        discussion: """
            Opens on the loopback address without a password. Any other address demands encryption (--tls-self-signed, or a \
            certificate) and a token, which is made at the first start. Each capture is flattened by `flatten` in a process \
            of its own with limits of memory and time; nothing is kept once its result is fetched or too old.
            """,
        subcommands: [Serve.self, Live.self], defaultSubcommand: Serve.self)
}

/// A process that follows one camera; started by the server itself.
struct Live: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "live-worker", shouldDisplay: false)
    @Argument(help: "What is followed besides the sheet.") var kinds: [TrackedItem.Kind] = []
    func run() async { await LiveWorker.run(following: Set(kinds)) }
}

extension TrackedItem.Kind: @retroactive ExpressibleByArgument {}

struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Serve until told to end (SIGTERM, SIGINT).")

    @Option(help: "The address to open.") var host = "127.0.0.1"
    @Option(help: "The port; 0 for any that is free.") var port = 8080
    @Option(help: "The program that flattens; by default the one beside this one, or of PATH.") var flatten:
        String?
    @Option(help: "Captures flattened at the same time; by default one a core.") var jobs: Int?
    @Option(help: "Captures that wait at most.") var queue = 32
    @Option(help: "Seconds that one capture may take.") var timeout = 60
    @Option(help: "Largest upload in MiB.") var maxBodyMib = 64
    @Option(help: "Address space of one flattening in MiB.") var memoryMib = 4096
    @Option(help: "Folder of the archive (flatten archive) in which callers may keep what they flattened.")
    var archive: String?
    @Option(help: "File whose first line is the passphrase that the archive is, or is to be, encrypted with.")
    var archivePassphraseFile: String?
    @Option(help: "File that holds the token; made where it is not there.") var tokenFile: String?
    @Option(help: "Certificate chain (PEM).") var tlsCertificate: String?
    @Option(help: "Private key (PEM).") var tlsKey: String?
    @Flag(help: "Make a certificate for this machine's names, once, and use it.") var tlsSelfSigned = false

    func validate() throws {
        for (name, value, range) in [
            ("--port", port, 0...65535), ("--queue", queue, 0...10_000), ("--timeout", timeout, 1...3600),
            ("--max-body-mib", maxBodyMib, 1...1024), ("--memory-mib", memoryMib, 512...65536),
            ("--jobs", jobs ?? 1, 1...256),
        ] where !range.contains(value) {
            throw ValidationError("\(name) lies between \(range.lowerBound) and \(range.upperBound)")
        }
        if (tlsCertificate == nil) != (tlsKey == nil) {
            throw ValidationError("--tls-certificate and --tls-key go together")
        }
        if tlsSelfSigned, tlsCertificate != nil {
            throw ValidationError("--tls-self-signed and --tls-certificate exclude each other")
        }
        if archivePassphraseFile != nil, archive == nil {
            throw ValidationError("--archive-passphrase-file goes with --archive")
        }
        if !isLoopback, !isEncrypted {
            throw ValidationError(
                "\(host) can be reached from other machines: say --tls-self-signed, or --tls-certificate and --tls-key"
            )
        }
    }

    private var isLoopback: Bool { host == "localhost" || host == "::1" || host.hasPrefix("127.") }
    private var isEncrypted: Bool { tlsSelfSigned || tlsCertificate != nil }

    func run() async throws {
        signal(SIGPIPE, SIG_IGN)
        let program = try flattenProgram()
        let folder = FileManager.default.temporaryDirectory.appending(path: "flatten-server-\(getpid())")
        var configuration = ServerConfiguration(
            flatten: program, itself: URL(filePath: "/proc/self/exe").resolvingSymlinksInPath(),
            folder: folder)
        configuration.jobs = jobs ?? ProcessInfo.processInfo.activeProcessorCount
        configuration.queue = queue
        configuration.timeout = timeout
        configuration.maximumBody = maxBodyMib << 20
        configuration.memoryMiB = memoryMib
        configuration.isEncrypted = isEncrypted
        configuration.archive = archive
        configuration.archivePassphrase = try archivePassphraseFile.map {
            try DocumentArchive.passphrase(inFile: $0)
        }
        let state = ServerState()
        if !isLoopback || tokenFile != nil { configuration.token = try state.token(in: tokenFile) }
        var logger = Logger(label: "flatten-server")
        logger.logLevel = .notice
        let service = try FlattenService(configuration, logger: logger)
        let certificate =
            try tlsSelfSigned
            ? state.selfSignedCertificate() : tlsCertificate.map { .init(chain: $0, key: tlsKey ?? "") }
        let announcement = Announcement(host: host, isEncrypted: isEncrypted, token: configuration.token)
        let app = Application(
            router: service.router(), server: try certificate?.server() ?? .http1(),
            configuration: .init(address: .hostname(host, port: port), serverName: nil),
            onServerRunning: { channel in announcement.print(port: channel.localAddress?.port ?? 0) },
            logger: logger)
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await service.removeOld() }
                try await app.runService()
                group.cancelAll()
            }
        } catch {
            await service.stop()
            throw error
        }
        await service.stop()
    }

    /// The program beside this one, or the first of PATH.
    private func flattenProgram() throws -> URL {
        let beside = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: "flatten")
        let path = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
            .map { URL(filePath: String($0)).appending(path: "flatten") }
        let named = flatten.map { [URL(filePath: $0)] } ?? [beside] + path
        guard let program = named.first(where: { FileManager.default.isExecutableFile(atPath: $0.path) })
        else {
            throw ValidationError("there is no program flatten: name it by --flatten")
        }
        return program
    }
}
