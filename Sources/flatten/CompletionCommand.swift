import ArgumentParser
import Diagnostics
import LocalFiles

/// `flatten completion SHELL`: the script by which a shell completes the words of `flatten`.
struct CompletionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "completion",
        abstract: "Print the script by which a shell completes the words of flatten.",
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

/// A shell that completes words.
enum CompletedShell: String, CaseIterable, ExpressibleByArgument {
    case bash, zsh, fish

    /// The parser's script, in which the main job's options are offered also where its word `single` is left out.
    ///
    /// The parser's own knows the options of `flatten CAPTURE` after `single` alone. So the words are handed to it with
    /// `single` put in; its entry is renamed for that, and gets its place.
    var script: String {
        switch self {
        case .bash:
            FlattenTool.completionScript(for: .bash).renaming("_flatten() {") + Self.bashEntry
        case .zsh:
            // The last lines call or register the entry, which must be there by then.
            FlattenTool.completionScript(for: .zsh).renaming("_flatten() {")
                .replacing("\nif [[ \"${funcstack[1]}\"", with: Self.zshEntry + "\nif [[ \"${funcstack[1]}\"")
        case .fish:
            FlattenTool.completionScript(for: .fish)
                .replacing(
                    "set -l unparsed_tokens (__flatten_tokens -pc)",
                    with: "set -l unparsed_tokens (__flatten_words)")
                + Self.fishEntry
        }
    }

    /// The words that are no capture where they come first.
    private static var subcommands: [String] {
        FlattenTool.configuration.subcommands.map { $0.configuration }.filter { $0.shouldDisplay }
            .compactMap { $0.commandName } + ["help"]
    }

    /// A batch takes the options of `flatten`, which the parser does not know of it.
    private static var bashEntry: String {
        """

        # The words as if WORD were the subcommand, in place of those between the first and the one numbered FROM.
        _flatten_as() { # WORD FROM
            local -a words=("${COMP_WORDS[0]}" "$1" "${COMP_WORDS[@]:$2}")
            local -i place=$((COMP_CWORD + 2 - $2))
            local -a COMP_WORDS=("${words[@]}")
            local -i COMP_CWORD=place
            _flatten_named "${words[0]}" "${words[place]}" "${words[place - 1]}"
        }

        _flatten() {
            local -a found
            local file
            case "${COMP_WORDS[1]}" in
            \(subcommands.joined(separator: "|")))
                _flatten_named "${@}"
                if [[ "${COMP_WORDS[1]}" = batch && "${COMP_CWORD}" -gt 1 ]] &&
                    [[ "${2}" = -* || "${#COMPREPLY[@]}" -eq 0 ]]; then
                    found=("${COMPREPLY[@]}")
                    COMPREPLY=()
                    _flatten_as single 2
                    COMPREPLY+=("${found[@]}")
                fi
                ;;
            *)
                if [[ "${COMP_CWORD}" -gt 1 || "${2}" = -* ]]; then
                    _flatten_as single 1
                else
                    _flatten_named "${@}"
                    while IFS='' read -r file; do COMPREPLY+=("${file}"); done < <(compgen -f -- "${2}")
                fi
                ;;
            esac
        }

        """
    }

    private static var zshEntry: String {
        """

        _flatten() {
            case "${words[2]}" in
            (\(subcommands.joined(separator: "|")))
                _flatten_named
                ;;
            (*)
                if [[ "${CURRENT}" -gt 2 || "${words[2]}" = -* ]]; then
                    words=("${words[1]}" single "${(@)words[2,-1]}")
                    (( CURRENT += 1 ))
                    _flatten_named
                else
                    _alternative 'subcommands:subcommand:_flatten_named' 'files:capture:_files'
                fi
                ;;
            esac
        }

        """
    }

    private static var fishEntry: String {
        """

        function __flatten_words
            set -l words (__flatten_tokens -pc)
            if test (count $words) -gt 1
                contains -- $words[2] \(subcommands.joined(separator: " "))
                or set words $words[1] single $words[2..]
            else if string match -q -- '-*' (commandline -ct)
                set words $words single
            end
            string join \\n -- $words
        end
        complete -c flatten -n 'test (count (__flatten_tokens -pc)) -eq 1' -F

        """
    }
}

extension String {
    /// The script with its entry under another name.
    fileprivate func renaming(_ entry: String) -> String {
        replacing("\n" + entry, with: "\n_flatten_named() {")
    }
}
