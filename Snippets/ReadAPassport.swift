// Reads the machine-readable zone of a passport or identity card.
import Foundation
import ReceiptFlattening

let photograph = CommandLine.arguments.dropFirst().first ?? "SampleData/curl-structured"
var options = ReceiptFlattener.Options()
options.finds = [.mrz]
let sheet = try ReceiptFlattener(options: options).flatten(Capture(contentsOf: URL(filePath: photograph)))
if let found = sheet.findings.mrz {
    let zone = found.zone
    print(zone.surname ?? "no surname", zone.givenNames ?? "", zone.number ?? "no number")
    print("born", zone.birthDate?.description ?? "on a day that is not printed")
    print("check digits", zone.holds ? "hold" : "do not all hold", "- confidence", found.confidence)
} else {
    print("no machine-readable zone")
}
