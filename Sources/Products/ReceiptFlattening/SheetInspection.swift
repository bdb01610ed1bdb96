public import Diagnostics
public import Captures
import DepthGeometry
public import Platform
import Imaging
import SheetFlattening
import ScalarText

/// What was found out about a capture and the sheet in it, before anything is computed from it; for diagnosis by people.
public struct SheetInspection: Sendable, CustomStringConvertible {
    /// What looks wrong, the gravest first, each in a sentence or two.
    public let findings: [String]
    /// A page of text: picture, depth, intrinsics, sheet, plane, surface, findings.
    public let description: String
    /// The same in numbers, for programs.
    package let facts: InspectionFacts

    /// The facts as JSON: the report's keys, as far as they are known before the flat image.
    public func json() throws(FlatteningError) -> Data { try facts.json() }
}

extension ReceiptFlattener {
    /// Examines a capture without making a picture of it. What cannot be used is a finding, not an error.
    ///
    /// Print is not looked at: a method of `edges` becomes `corners` where print refuses the curve of the sides.
    public func inspect(_ capture: Capture) throws(FlatteningError) -> SheetInspection {
        let known = CaptureInspection(of: capture)
        let (search, sheet) = try RequiredLibraries.withoutShortage {
            () throws(FlatteningError) -> (SheetSearch, UnrolledSheet) in
            let search = try SheetFlattener(options: options.sheet).locateSheet(in: capture)
            return (
                search, try FlatteningLadder(capture: capture, search: search, options: options.sheet).climb()
            )
        }

        var rows: [(name: String, text: String)] = []
        let metadata = capture.metadata
        if let source = metadata.source { rows.append(("Capture", source)) }
        rows.append(
            (
                "Picture",
                "\(capture.image.size), \(metadata.imageName)"
                    + (metadata.orientation == .up
                        ? "" : ", turned upright from orientation \(metadata.orientation.rawValue)")
            ))
        rows.append(("Depth", Self.depthLine(known, metadata: metadata)))
        rows.append(("Intrinsics", Self.intrinsicsLine(capture, known: known)))
        rows.append(("Sheet", sheetLine(sheet, search: search)))
        rows.append(("Plane", Self.planeLine(sheet)))
        rows.append(("Surface", Self.surfaceLine(sheet)))
        rows += sheet.refused.map { ("Not taken", "\($0.step): \($0.reason)") }
        var findings = known.findings.map(\.description)
        // The refusal of depth is among the findings already.
        findings += capture.warnings.filter { warning in
            capture.depthRefusal.map { !warning.hasSuffix($0) } ?? true
        }
        let own = FlatteningWarnings(capture: capture, search: search, sheet: sheet, options: options)
        // A unit so wrong that the map alone shows it is among the findings already.
        let hasUnitFinding = known.findings.contains { $0.code == .depthUnit }
        findings += own.all.filter { !hasUnitFinding || $0 != own.doubtfulUnit }
        rows += findings.isEmpty ? [("Looks wrong", "nothing")] : findings.map { ("Looks wrong", $0) }
        return SheetInspection(
            findings: findings,
            // A name of a file may hold line feeds; a row is a line.
            description: rows.map { row in
                String((row.name + String(repeating: " ", count: 13)).prefix(13))
                    + row.text.replacingScalars("\n", with: "\\n")
            }.joined(separator: "\n"),
            facts: InspectionFacts(
                of: capture, known: known, search: search, sheet: sheet,
                sheetMm: sheet.millimeters(of: sheet.frame, margin: options.sheet.marginAroundSheet),
                findings: findings))
    }

    private static func depthLine(_ known: CaptureInspection, metadata: Capture.Metadata) -> String {
        guard let depth = known.depth else { return "none" }
        let unit = depth.scale == .metric ? " m" : " (no true unit)"
        let range =
            depth.validFraction > 0
            ? "; from \(figure(depth.minimum)) to \(figure(depth.maximum))\(unit), the middle at "
                + "\(figure(depth.percentiles.y))\(unit)"
            : ""
        return "\(depth.size), \(metadata.depthName ?? "in memory")"
            + (metadata.depthForm.map { ": \($0)" } ?? "")
            + "; \(figure(depth.validFraction * 100, places: 1)) % valid" + range
    }

    private static func intrinsicsLine(_ capture: Capture, known: CaptureInspection) -> String {
        guard let intrinsics = capture.intrinsics else {
            let degrees = CameraIntrinsics.assumedFieldOfView * 180 / .pi
            return "none; a view angle of \(figure(degrees, places: 0)) degrees is assumed"
        }
        return "fx \(figure(intrinsics.fx, places: 1)), fy \(figure(intrinsics.fy, places: 1)), "
            + "cx \(figure(intrinsics.cx, places: 1)), cy \(figure(intrinsics.cy, places: 1))"
            + (known.fieldOfViewDegrees.map { "; \(figure($0, places: 1)) degrees of view" } ?? "")
            + "; from \(capture.metadata.intrinsicsOrigin)"
            + (capture.distortion == nil ? "" : "; with lens distortion")
    }

    private func sheetLine(_ sheet: UnrolledSheet, search: SheetSearch) -> String {
        var parts: [String] = []
        switch search {
        case .found(let outlines):
            guard let outline = outlines.first else { break }
            parts.append("found, \(Self.figure(outline.confidence, places: 2)) sure")
            if outline.touchesBorder { parts.append("runs off the picture") }
            if let number = search.numberOfMeant, number.count > 1 { parts.append("\(number)") }
        case .scan(let outline):
            parts.append("the picture itself, \(Self.figure(outline.confidence, places: 2)) sure")
        case .notFound(let reason):
            parts.append("not found: \(reason)")
        }
        if let size = sheet.millimeters(of: sheet.frame, margin: options.sheet.marginAroundSheet) {
            // Which way is up is not looked for.
            parts.append(
                "\(Self.figure(size.x, places: 1)) x \(Self.figure(size.y, places: 1)) mm as it lies in the picture"
            )
        }
        return parts.joined(separator: "; ")
    }

    private static func planeLine(_ sheet: UnrolledSheet) -> String {
        guard sheet.isMetric, let fit = sheet.plane else { return "none" }
        return "\(figure(abs(fit.model.offset) * 1000, places: 1)) mm away, tilted by "
            + "\(figure(fit.model.tilt * 180 / .pi, places: 1)) degrees; residual "
            + "\(figure(fit.rmsResidual * 1000, places: 3)) mm rms over \(figure(fit.inlierFraction * 100, places: 1)) % of "
            + "\(fit.inliers.count) readings, which spread over \(figure(fit.spread.length * 1000, places: 1)) and "
            + "\(figure(fit.spread.breadth * 1000, places: 1)) mm (one standard deviation)"
    }

    private static func surfaceLine(_ sheet: UnrolledSheet) -> String {
        guard sheet.isMetric, let fit = sheet.fit else { return "none (\(sheet.method.rawValue))" }
        return
            "\(fit.surface.method.rawValue): residual \(figure(fit.residual, places: 3)) mm, noise of a reading "
            + "\(figure(fit.noise, places: 3)) mm, greatest curvature \(figure(fit.maximumCurvature, places: 4)) / mm"
            + (fit.slowError.map {
                "; the sensor's slow error \(figure($0, places: 3)) mm, as the table shows it"
            } ?? "")
            + (fit.assumedSlowError.map {
                "; no table shows the sensor's slow error: \(figure($0, places: 3)) mm are assumed"
            } ?? "")
            + (fit.correctedBySides.map {
                "; the sheet's sides changed depth by \(figure($0, places: 3)) mm"
            } ?? "")
    }

    private static func figure(_ value: Double, places: Int = 3) -> String {
        NumberText.fixed(value, places)
    }
}
