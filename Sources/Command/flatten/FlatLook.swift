import ArgumentParser
import SheetFlattening

/// `--look`: how the sheet is shown.
enum FlatLook: String, CaseIterable, ExpressibleByArgument {
    case photo, document
    case blackAndWhite = "bw"

    /// The look as an option of the library.
    var light: LightCorrection {
        switch self {
        case .photo: .none
        case .document: .document
        case .blackAndWhite: .blackAndWhite
        }
    }
}
