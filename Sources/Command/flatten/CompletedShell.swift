import ArgumentParser

/// A shell that completes words.
enum CompletedShell: String, CaseIterable, ExpressibleByArgument {
    case bash, zsh, fish

    /// The parser's script, with two improvements.
    ///
    /// It offers the main job's options even if the word `single` is omitted, and the options of a batch's status after
    /// `batch status`, which the parser knows as one word. To this end a new entry function takes the place of the
    /// parser's, which is renamed, and passes it the words in the form that it knows.
    var script: String {
        switch self {
        case .bash: bashScript
        case .zsh: zshScript
        case .fish: fishScript
        }
    }

    /// The words that are not a capture if they come first.
    private static var subcommands: [String] {
        FlattenTool.configuration.subcommands.map { $0.configuration }.filter { $0.shouldDisplay }
            .compactMap { $0.commandName } + ["help"]
    }

    // MARK: - bash

    private var bashScript: String {
        CompletedTool.completionScript(for: .bash).renamingEntry.replacing(" batch-status'", with: "'")
            + Self.bashEntry
    }

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
            local file
            case "${COMP_WORDS[1]}" in
            \(subcommands.joined(separator: "|")))
                if [[ "${COMP_WORDS[1]} ${COMP_WORDS[2]}" = 'batch status' && "${COMP_CWORD}" -gt 2 ]]; then
                    _flatten_as batch-status 3
                    return
                fi
                _flatten_named "${@}"
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

    // MARK: - zsh

    private var zshScript: String {
        var lines = CompletedTool.completionScript(for: .zsh).renamingEntry
            .split(separator: "\n", omittingEmptySubsequences: false)
        lines.removeAll { $0.hasPrefix("            'batch-status:") }
        // The last lines call or register the entry function, which must be defined before them.
        return lines.joined(separator: "\n")
            .replacing("\nif [[ \"${funcstack[1]}\"", with: Self.zshEntry + "\nif [[ \"${funcstack[1]}\"")
    }

    private static var zshEntry: String {
        """

        _flatten() {
            case "${words[2]}" in
            (\(subcommands.joined(separator: "|")))
                if [[ "${words[2]} ${words[3]}" = 'batch status' && "${CURRENT}" -gt 3 ]]; then
                    words=("${words[1]}" batch-status "${(@)words[4,-1]}")
                    (( CURRENT -= 1 ))
                fi
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

    // MARK: - fish

    private var fishScript: String {
        var lines = CompletedTool.completionScript(for: .fish)
            .replacing(
                "set -l unparsed_tokens (__flatten_tokens -pc)",
                with: "set -l unparsed_tokens (__flatten_words)"
            )
            .split(separator: "\n", omittingEmptySubsequences: false)
        lines.removeAll { $0.contains("-fa 'batch-status'") }
        return lines.joined(separator: "\n") + Self.fishEntry
    }

    private static var fishEntry: String {
        """

        function __flatten_words
            set -l words (__flatten_tokens -pc)
            if test "$words[2..3]" = 'batch status'
                set words $words[1] batch-status $words[4..]
            else if test (count $words) -gt 1
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

/// The program as its completion script knows it: with `batch status` as one word, which is hidden elsewhere.
private struct CompletedTool: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: FlattenTool.configuration.commandName, abstract: FlattenTool.abstract,
        version: FlattenTool.configuration.version,
        subcommands: FlattenTool.configuration.subcommands.filter { $0.configuration.shouldDisplay }
            + [CompletedStatus.self],
        defaultSubcommand: FlattenCommand.self)
}

private struct CompletedStatus: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: BatchStatusCommand.configuration.commandName,
        abstract: BatchStatusCommand.configuration.abstract)

    @OptionGroup var status: BatchStatusCommand
}

extension String {
    /// The script with its entry function renamed.
    fileprivate var renamingEntry: String { replacing("\n_flatten() {", with: "\n_flatten_named() {") }
}
