import Foundation

/// The words that a tool was started with.
///
/// Swift looks for them on the stack, whose place it reads from /proc/self/maps, and with many libraries loaded finds none.
public enum ToolWords {
    /// The program's path, and the words after it.
    private static let all: [String] = {
        guard CommandLine.arguments.isEmpty,
            let line = FileManager.default.contents(atPath: "/proc/self/cmdline")
        else { return CommandLine.arguments }
        return line.split(separator: 0, omittingEmptySubsequences: false).dropLast()
            .map { String(decoding: $0, as: UTF8.self) }
    }()

    /// The path that the program was called by.
    public static var program: String { all.first ?? "" }
    /// The words after it.
    public static var arguments: [String] { Array(all.dropFirst()) }
}
