import Platform

extension TextLibraries {
    /// The languages for which tesseract finds data, by its names, sorted; scripts as "script/Latin". Data for page
    /// layout ("osd", "equ") are left out, since they are no languages.
    /// - Parameter dataPath: the folder of the data; nil for tesseract's own places.
    package static func installedLanguages(dataPath: String? = nil) -> [String] {
        for folder in LanguageData(dataPath: dataPath).folders {
            let names =
                languages(in: folder, prefix: "") + languages(in: folder + "/script", prefix: "script/")
            if !names.isEmpty { return names.sorted() }
        }
        return []
    }

    /// What reads pages in other letters than Latin ones where no language is named: the names and sizes of the data.
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
