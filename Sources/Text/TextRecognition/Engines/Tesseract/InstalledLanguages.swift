import Platform

extension TextLibraries {
    /// The languages that tesseract has data for where it looks for them, by its names, sorted; scripts as
    /// "script/Latin". Data of the page's layout ("osd", "equ") are no language.
    /// - Parameter dataPath: the folder of the data; nil for tesseract's own places.
    package static func installedLanguages(dataPath: String? = nil) -> [String] {
        for folder in LanguageData(dataPath: dataPath).folders {
            let names =
                languages(in: folder, prefix: "") + languages(in: folder + "/script", prefix: "script/")
            if !names.isEmpty { return names.sorted() }
        }
        return []
    }

    /// What pages in other letters than Latin ones are read with, where nobody names their language: the names and sizes of the data.
    static var otherScripts: String {
        let data = LanguageData(dataPath: nil)
        return OtherScripts.languages(among: installedLanguages()).joined().map {
            "\($0) \(data.file(of: $0)?.size ?? 0)"
        }.joined(separator: ", ")
    }

    private static func languages(in folder: String, prefix: String) -> [String] {
        let ending = ".traineddata"
        return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
            .filter { $0.hasSuffix(ending) }.map { prefix + $0.dropLast(ending.count) }
            .filter { !["osd", "equ"].contains($0) }
    }
}
