// A program that links this library needs only one import to have the names that its functions take and return.
// SheetFlattening, and with it geometry and images, is exported as a module; from the other modules, only the names below
// are.
@_exported public import SheetFlattening

public import Captures
public import Diagnostics
public import Documents
public import LocalFiles
public import TextFormats
public import TextRecognition

/// Why a file, a capture or a step was refused.
public typealias FlatteningError = Diagnostics.FlatteningError
/// Limits on what an input file may require.
public typealias FlatteningLimits = LocalFiles.FlatteningLimits
/// A recording of one or many frames.
public typealias Recording = Captures.Recording
/// An engine that reads text: tesseract, or another one supplied by the caller.
public typealias TextEngine = TextRecognition.TextEngine
/// Which of the package's readers reads text.
public typealias TextReader = TextRecognition.TextReader
/// A page for a `TextEngine` to read.
public typealias TextPage = TextRecognition.TextPage
/// The time limit for a `TextEngine`, and the callback for its progress.
public typealias ReadingContext = TextRecognition.ReadingContext
/// The text read on a page.
public typealias RecognizedText = TextRecognition.RecognizedText
/// One printed row as it was read.
public typealias RecognizedLine = TextRecognition.RecognizedLine
/// One word as it was read.
public typealias RecognizedWord = TextRecognition.RecognizedWord
/// The fields read from a receipt's text.
public typealias ReceiptFields = Documents.ReceiptFields
/// A receipt together with the pages of its document that it covers.
public typealias PagedReceipt = Documents.PagedReceipt
/// What kind of document a sheet is taken for.
public typealias DocumentClassification = Documents.DocumentClassification
/// What kind of document a sheet is.
public typealias DocumentKind = Documents.DocumentKind
/// The kinds of content that can be looked for on a sheet.
public typealias SheetContent = Documents.SheetContent
/// A link, an address, a number, a date or a price on a sheet.
public typealias RecognizedItem = Documents.RecognizedItem
/// The contents of a business card.
public typealias Contact = Documents.Contact
/// Contacts as vCards.
public typealias VCard = Documents.VCard
/// A machine-readable zone that was found on a sheet.
public typealias RecognizedZone = Documents.RecognizedZone
/// The contents of a machine-readable zone.
public typealias MachineReadableZone = Documents.MachineReadableZone
/// The forms of machine-readable zones.
public typealias ZoneFormat = Documents.ZoneFormat
/// A date of a zone.
public typealias ZoneDate = Documents.ZoneDate
/// A bar code or two-dimensional code, read.
public typealias SheetCode = Documents.SheetCode
/// The meaning of a code's content.
public typealias CodeContent = Documents.CodeContent
/// One data element of GS1's system.
public typealias GS1Element = Documents.GS1Element
/// A face found on a sheet.
public typealias SheetFace = Documents.SheetFace
/// Kinds of personal data that can be blackened.
public typealias PersonalData = Documents.PersonalData
/// The formats in which text is written.
public typealias TextFormat = TextFormats.TextFormat
