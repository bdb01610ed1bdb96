import ArgumentParser

/// What `--help` shows of the main job: the options that most people need, in groups, and with `--help-all` every option.
enum HelpPage {
    /// Options that belong together, by their long names.
    struct Group {
        let title: String
        /// The options that most people need.
        let usual: [String]
        /// The other options, shown by `--help-all` only.
        let further: [String]
    }

    static let groups = [
        Group(
            title: "Outputs",
            usual: OutputKind.options(usual: true),
            further: OutputKind.options(usual: false) + ["format", "table-for", "merge-size", "vcard"]),
        Group(
            title: "Depth and camera",
            usual: ["depth", "intrinsics"],
            further: [
                "depth-unit", "depth-kind", "depth-projection", "depth-relative", "confidence", "no-depth",
                "fx", "fy", "cx", "cy",
            ]),
        Group(
            title: "Pages, sheets and frames",
            usual: ["pages", "sheets", "stitch"],
            further: ["join-pages", "frame", "best", "fuse"]),
        Group(
            title: "Shape and look",
            usual: ["look", "dpi", "corners"],
            further: ["method", "margin", "edge", "clean", "bw"]),
        Group(
            title: "Reading",
            usual: ["language", "find"],
            further: ["reader", "reader-model", "country", "currency", "today", "list-languages"]),
        Group(
            title: "Privacy and trust",
            usual: ["redact", "require"],
            further: ["redact-area", "min-confidence", "keep", "reproducible"]),
        Group(
            title: "The run",
            usual: ["no-clobber", "quiet", "version", "help-all"],
            further: ["force", "timeout", "progress", "verbose", "help"]),
        Group(
            title: "Limits",
            usual: [],
            further: [
                "max-megapixels", "max-depth-megapixels", "max-side", "max-file-mib", "max-tiff-mib",
                "max-json-mib", "no-programs",
            ]),
    ]

    /// Whether the words of a call of the main job ask for help.
    static func isAsked(by words: [String]) -> Bool {
        words.prefix { $0 != "--" }.contains { ["-h", "-help", "--help"].contains($0) }
    }

    /// What the command does, how it is called, and the usual options.
    static var everyday: String {
        let page = ParsersPage()
        let groups = groups.filter { !$0.usual.isEmpty }.map { page.section($0.title, of: $0.usual) }
        return ([page.opening, page.usage, page.arguments] + groups + [subcommands]).joined(separator: "\n\n")
            + """


            All options and the exit codes: flatten --help-all
            """
    }

    /// The whole page, with every option.
    static var whole: String {
        let page = ParsersPage()
        let groups = groups.map { page.section($0.title, of: $0.usual + $0.further) }
        return ([page.overview, page.usage, page.arguments] + groups + [subcommands]).joined(
            separator: "\n\n")
    }

    private static var subcommands: String {
        let commands: [any ParsableCommand.Type] = [
            InspectCommand.self, BatchCommand.self, ArchiveCommand.self, CardsCommand.self,
            DoctorCommand.self,
            CompletionCommand.self,
        ]
        let rows = commands.map { command in
            let name = command.configuration.commandName ?? ""
            let gap = String(repeating: " ", count: max(1, 12 - name.count))
            return "  " + name + gap + command.configuration.abstract
        }
        return (["SUBCOMMANDS, each with a --help of its own:"] + rows).joined(separator: "\n")
    }
}

/// The parser's help page of the main job, split into parts.
private struct ParsersPage {
    let overview: String
    let usage: String
    let arguments: String
    /// The lines about each option, by its long name.
    let options: [String: String]

    /// The first paragraph.
    var opening: String {
        overview.firstRange(of: "\n\n").map { String(overview[..<$0.lowerBound]) } ?? overview
    }

    init() {
        let page = Self.parts(FlattenTool.helpMessage(for: FlattenCommand.self))
        (overview, usage, arguments) = (page[0], page[1], page[2])
        var options: [String: String] = [:]
        var name = ""
        for row in page[3].split(separator: "\n").dropFirst() {
            if let option = row.prefixMatch(of: /[ ]{2}(-[a-zA-Z], )?--([a-z-]+)/)?.output.2 {
                name = String(option)
                options[name] = String(row)
            } else {
                options[name]? += "\n" + row
            }
        }
        self.options = options
    }

    /// Splits the page at the headings of its sections; each part begins with its heading.
    private static func parts(_ page: String) -> [String] {
        var parts: [String] = []
        var rest = page[...]
        for heading in ["\n\nUSAGE: ", "\n\nARGUMENTS:\n", "\n\nOPTIONS:\n"] {
            let end = rest.firstRange(of: heading)?.lowerBound ?? rest.endIndex
            parts.append(String(rest[..<end]))
            rest = rest[end...].drop { $0 == "\n" }
        }
        return parts + [String(rest)]
    }

    func section(_ title: String, of names: [String]) -> String {
        ([title.uppercased() + ":"] + names.compactMap { options[$0] }).joined(separator: "\n")
    }
}
