import FlattenServer
import Foundation

/// What is printed once the server is open.
struct Announcement: Sendable {
    var host: String
    var isEncrypted: Bool
    var token: String?

    func print(port: Int) {
        let names = ["0.0.0.0", "::"].contains(host) ? ServerState.addresses : [host]
        let path = token.map { "/login?token=" + $0 } ?? "/"
        let addresses = names.map { name in
            "\(isEncrypted ? "https" : "http")://\(name.contains(":") ? "[\(name)]" : name):\(port)\(path)"
        }
        var text = "Open " + addresses.joined(separator: "\n  or ") + "\n"
        if token != nil, let first = addresses.first, let code = Self.code(of: first) { text += code }
        FileHandle.standardOutput.write(Data(text.utf8))
    }

    /// The address as a QR code of blocks, where qrencode is there to draw it.
    private static func code(of address: String) -> String? {
        let program = URL(filePath: "/usr/bin/qrencode")
        guard isatty(STDOUT_FILENO) == 1, FileManager.default.isExecutableFile(atPath: program.path) else {
            return nil
        }
        let process = Process()
        process.executableURL = program
        process.arguments = ["-t", "UTF8", "-m", "2", "--", address]
        let pipe = Pipe()
        process.standardOutput = pipe
        guard (try? process.run()) != nil, let data = try? pipe.fileHandleForReading.readToEnd() else {
            return nil
        }
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self)
    }
}
