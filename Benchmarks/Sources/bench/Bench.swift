import ArgumentParser
import Stages
import ToolWords

@main
struct Bench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench", abstract: "Measure the library beside its peers.",
        subcommands: [Compare.self, Check.self, Draw.self, Serve.self],
        defaultSubcommand: Compare.self)

    static func main() { main(ToolWords.arguments) }
}
