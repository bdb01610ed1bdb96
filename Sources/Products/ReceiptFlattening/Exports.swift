// A program that links the library writes one import and has the names that its functions take and return: sheets, and with
// them geometry and images, by their module; of the other modules what is named here.
@_exported public import SheetFlattening

public import Captures
public import Diagnostics
public import Documents
public import LocalFiles
public import TextFormats
public import TextRecognition

/// Why a file, a capture or a step was refused.
public typealias FlatteningError = Diagnostics.FlatteningError
/// How much a file may ask for.
public typealias FlatteningLimits = LocalFiles.FlatteningLimits
/// A recording of one or many frames.
public typealias Recording = Captures.Recording
/// What reads text: tesseract, or another reader that a caller brings.
public typealias TextEngine = TextRecognition.TextEngine
/// Which of the package's readers reads text.
public typealias TextReader = TextRecognition.TextReader
/// A page for a `TextEngine` to read.
public typealias TextPage = TextRecognition.TextPage
/// How long a `TextEngine` may read, and who is told how far it is.
public typealias ReadingContext = TextRecognition.ReadingContext
/// What was read on a page.
public typealias RecognizedText = TextRecognition.RecognizedText
/// One printed row as it was read.
public typealias RecognizedLine = TextRecognition.RecognizedLine
/// One word as it was read.
public typealias RecognizedWord = TextRecognition.RecognizedWord
/// What a receipt's text says.
public typealias ReceiptFields = Documents.ReceiptFields
/// A receipt together with the pages of its document that it goes over.
public typealias PagedReceipt = Documents.PagedReceipt
/// What kind of document a sheet is taken for.
public typealias DocumentClassification = Documents.DocumentClassification
/// What kind of document a sheet is.
public typealias DocumentKind = Documents.DocumentKind
/// What can be looked for on a sheet.
public typealias SheetContent = Documents.SheetContent
/// A link, an address, a number, a date or a price on a sheet.
public typealias RecognizedItem = Documents.RecognizedItem
/// What a business card says.
public typealias Contact = Documents.Contact
/// Contacts as vCards.
public typealias VCard = Documents.VCard
/// A machine-readable zone that was found on a sheet.
public typealias RecognizedZone = Documents.RecognizedZone
/// What a machine-readable zone says.
public typealias MachineReadableZone = Documents.MachineReadableZone
/// The forms of machine-readable zones.
public typealias ZoneFormat = Documents.ZoneFormat
/// A date of a zone.
public typealias ZoneDate = Documents.ZoneDate
/// A bar code or two-dimensional code, read.
public typealias SheetCode = Documents.SheetCode
/// What a code means.
public typealias CodeContent = Documents.CodeContent
/// One data element of GS1's system.
public typealias GS1Element = Documents.GS1Element
/// A face, found.
public typealias SheetFace = Documents.SheetFace
/// Kinds of personal data that can be blackened.
public typealias PersonalData = Documents.PersonalData
/// The forms in which text is written.
public typealias TextFormat = TextFormats.TextFormat
