import ArgumentParser
import Diagnostics
import LocalFiles

/// `flatten completion SHELL`: prints the script with which a shell completes the words of `flatten`.
struct CompletionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "completion",
        abstract: "Print the script by which a shell completes words.",
        usage: "flatten completion bash|zsh|fish",
        discussion: """
            Put it where the shell looks for such scripts:
              bash  flatten completion bash > ~/.local/share/bash-completion/completions/flatten
              zsh   flatten completion zsh > ~/.zfunc/_flatten   (with ~/.zfunc in fpath, before compinit)
              fish  flatten completion fish > ~/.config/fish/completions/flatten.fish
            make install and the Debian package do so.
            """)

    @Argument(help: "The shell.")
    var shell: CompletedShell

    func run() throws {
        try AtomicFile.replace("-", with: Array(shell.script.utf8))
    }
}
