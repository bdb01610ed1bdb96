import CFuzzer
import Foundation

/// `FUZZ_READER=png fuzz CORPUS -max_total_time=60`: feeds one reader with what libFuzzer makes of the seeds.
///
/// An error is an answer; a trap, a sanitizer's finding, too much time or too much memory is not.
@main
enum Fuzz {
    static func main() {
        // Checked here: libFuzzer's callback cannot tell anybody anything.
        guard Reader.chosen != nil else {
            let names = Reader.allCases.map(\.rawValue).joined(separator: " ")
            FileHandle.standardError.write(Data("FUZZ_READER is one of: \(names)\n".utf8))
            exit(64)
        }
        var count = CommandLine.argc
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
        exit(
            LLVMFuzzerRunDriver(&count, &arguments) { data, size in
                Reader.chosen?.read(Array(UnsafeBufferPointer(start: data, count: size)))
                return 0
            })
    }
}
