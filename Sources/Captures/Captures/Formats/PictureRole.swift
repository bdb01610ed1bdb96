import ScalarText

/// The content of an image in a folder, judged by the words in its name.
struct PictureRole: Equatable {
    enum Kind { case color, depth, confidence }

    /// The kind of content.
    let kind: Kind
    /// The name without the words that only distinguish images, depth and confidence: the same for files that belong
    /// together.
    let key: String
    /// The names of its folders without those words: the same for one capture.
    let folder: String
    /// Whether the name says that the depth map is already aligned with the colour camera.
    let isAligned: Bool

    private static let depthWords: Set = ["depth", "depths", "depthmap", "z16"]
    private static let confidenceWords: Set = ["confidence", "confidences", "conf"]
    private static let colorWords: Set = ["rgb", "rgba", "bgr", "color", "colors", "colour"]
    /// Words that do not tell the content of an image, and may be in one name of a pair and missing in the other.
    private static let emptyWords: Set = [
        "image", "images", "img", "picture", "pictures", "photo", "photos", "aligned", "registered", "rect",
        "raw",
        "to", "map", "maps",
    ]
    /// Images derived from the others, or taken by cameras that see something else.
    private static let otherWords: Set = [
        "mask", "masks", "normal", "normals", "ir", "infra", "infrared", "preview", "thumbnail", "thumb",
        "label", "labels", "segmentation", "overlay", "colormap", "colorized", "vis", "left", "right",
    ]

    /// Words in the names of folders that hold a recording's images.
    private static let folderWords: Set = [
        "rgbd", "frames", "keyframes", "corrected", "lowres", "highres", "vga", "wide", "cameras",
    ]

    /// Whether a folder's name is a usual one for images and depth maps.
    static func isFolderOfPictures(_ name: String) -> Bool {
        let known = depthWords.union(confidenceWords).union(colorWords).union(emptyWords).union(folderWords)
        let words = words(name.lowercased()).filter { $0.first?.isNumber == false }
        return !words.isEmpty && words.allSatisfy(known.contains)
    }

    /// Finds the role of an image by its name; nil if it has none of these roles.
    init?(name: String) {
        var parts = name.lowercased().split(atScalar: "/").map(String.init)
        if let file = parts.popLast() { parts.append(RecordedFiles.stem(file)) }
        let words = parts.map(Self.words)
        let own = words.last ?? []
        guard !words.joined().contains(where: { Self.otherWords.contains($0) }) else { return nil }
        // The file's own name takes precedence over its folder's; "depth_image_1" is depth.
        func kind(_ words: [String]) -> Kind? {
            if words.contains(where: Self.confidenceWords.contains) { return .confidence }
            if words.contains(where: Self.depthWords.contains) { return .depth }
            return words.contains(where: Self.colorWords.contains) ? .color : nil
        }
        self.kind = kind(own) ?? kind(Array(words.dropLast().joined())) ?? .color
        let dropped = Self.depthWords.union(Self.confidenceWords).union(Self.colorWords)
            .union(Self.emptyWords)
        folder = words.dropLast().joined().filter { !dropped.contains($0) }.joined(separator: "-")
        key = words.joined().filter { !dropped.contains($0) }.joined(separator: "-")
        isAligned = words.joined().contains { $0 == "aligned" || $0 == "registered" }
    }

    /// Splits a name into words and numbers: "frame-000012.color" is frame, 12, color.
    private static func words(_ name: String) -> [String] {
        var words: [String] = []
        var word = ""
        func take() {
            guard !word.isEmpty else { return }
            // By Characters: words consist of letters and digits only.
            let digits = word.drop { $0 == "0" }
            words.append(word.first?.isNumber == true ? (digits.isEmpty ? "0" : String(digits)) : word)
            word = ""
        }
        for character in name {
            guard character.isLetter || character.isNumber else {
                take()
                continue
            }
            if let last = word.last, last.isNumber != character.isNumber, last.isLetter || last.isNumber {
                // "z16" and "16uc1" are kept as words; elsewhere a number ends a word.
                if !(word == "z" && character == "1") && word != "z1" { take() }
            }
            word.append(character)
        }
        take()
        return words
    }
}
