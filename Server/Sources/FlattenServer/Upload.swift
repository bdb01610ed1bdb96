import Foundation
import Hummingbird
import NIOCore

/// What a caller sent, in files of its own folder.
struct Upload: Sendable {
    /// Photograph, document, recording's archive; several are the pages of one document, in their order.
    var images: [URL]
    var depth: URL?
    var intrinsics: URL?
    var confidence: URL?
    var request = FlatteningRequest()

    /// The files that came.
    var files: [URL] { images + [depth, intrinsics, confidence].compactMap(\.self) }

    /// Whether programs of the system read a part of it: poppler's pages, ffmpeg videos in archives. `flatten` confines those, and
    /// itself has its limits then, but no confinement.
    var needsPrograms: Bool {
        images.contains { image in
            guard let handle = try? FileHandle(forReadingFrom: image) else { return false }
            defer { try? handle.close() }
            let start = (try? handle.read(upToCount: 1024)) ?? Data()
            return start.starts(with: Data("PK\u{3}\u{4}".utf8)) || start.range(of: Data("%PDF-".utf8)) != nil
        }
    }

    /// The parts of a form that are taken.
    private static let parts: Set<String> = [
        "image", "capture", "depth", "intrinsics", "confidence", "request",
    ]

    /// Receives a body into a folder: a form, or the photograph alone.
    /// - Throws: 400 for a broken form, 413 for what is too large, 415 for what is no upload, 422 for a request that is none.
    static func receive(
        _ request: Request, into folder: URL, limit: Int
    ) async throws -> Upload {
        if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > limit {
            throw Problem(.contentTooLarge, "the body is too large (allowed: \(limit) bytes)")
        }
        let type = request.headers[.contentType] ?? ""
        if type.lowercased().hasPrefix("multipart/form-data") {
            guard let boundary = boundary(of: type) else {
                throw Problem(.badRequest, "the form has no boundary")
            }
            return try await form(request, boundary: boundary, into: folder, limit: limit)
        }
        guard type.isEmpty || type.hasPrefix("image/") || type.hasPrefix("application/") else {
            throw Problem(
                .unsupportedMediaType,
                "an upload is a form (multipart/form-data), or a photograph or document alone (image/jpeg, application/pdf ...)"
            )
        }
        let file = folder.appending(path: "upload")
        let writer = try PartWriter(file)
        defer { writer.close() }
        var size = 0
        for try await chunk in request.body {
            size += chunk.readableBytes
            guard size <= limit else {
                throw Problem(.contentTooLarge, "the body is too large (allowed: \(limit) bytes)")
            }
            try writer.write(chunk.readableBytesView)
        }
        guard size > 0 else { throw Problem(.badRequest, "the body is empty") }
        return Upload(images: [file])
    }

    private static func boundary(of type: String) -> String? {
        guard let range = type.range(of: "boundary=", options: .caseInsensitive) else { return nil }
        let value = type[range.upperBound...].prefix { $0 != ";" }
            .trimmingCharacters(in: CharacterSet(charactersIn: "\" "))
        return (1...70).contains(value.utf8.count) ? value : nil
    }

    private static func form(
        _ request: Request, boundary: String, into folder: URL, limit: Int
    ) async throws -> Upload {
        let form = FormReceiver(folder: folder)
        var parser = FormParser(boundary: boundary)
        var size = 0
        for try await chunk in request.body {
            size += chunk.readableBytes
            guard size <= limit else {
                throw Problem(.contentTooLarge, "the body is too large (allowed: \(limit) bytes)")
            }
            for event in try parser.read(Array(chunk.readableBytesView)) {
                switch event {
                case .header(let name, let value): form.header(name, value)
                case .body(let bytes): form.body(bytes)
                case .end: form.endPart()
                }
            }
            if let problem = form.problem { throw problem }
        }
        try parser.requireEnd()
        guard !form.images.isEmpty else {
            throw Problem(.badRequest, "the form has no part \"image\" or \"capture\"")
        }
        guard form.images.count == 1 || form.files.isEmpty else {
            throw Problem(.conflict, "depth, intrinsics and confidence go with one image")
        }
        var upload = Upload(
            images: form.images, depth: form.files["depth"], intrinsics: form.files["intrinsics"],
            confidence: form.files["confidence"])
        if let json = form.json { upload.request = try FlatteningRequest(json: json) }
        return upload
    }

    /// Writes the parts of a form to files as they come.
    private final class FormReceiver {
        let folder: URL
        /// The parts "image" and "capture", in their order.
        var images: [URL] = []
        /// The others, by their names.
        var files: [String: URL] = [:]
        var json: Data?
        var problem: Problem?
        private var name: String?
        private var ending = ""
        private var writer: PartWriter?

        /// The largest request, in bytes.
        private static let greatestRequest = 64 << 10
        /// The most pages of a document that come as files of their own.
        private static let mostImages = 50

        init(folder: URL) { self.folder = folder }

        func header(_ field: String, _ value: String) {
            guard field.lowercased() == "content-disposition" else { return }
            name = Self.parameter("name", of: value)
            // Of a stranger's name only what tells the kind of a file is taken.
            let ending =
                Self.parameter("filename", of: value)?.split(separator: ".").last.map(String.init) ?? ""
            self.ending =
                (1...5).contains(ending.utf8.count)
                    && ending.utf8.allSatisfy {
                        (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20)
                    }
                ? "." + ending.lowercased() : ""
        }

        private static func parameter(_ name: String, of value: String) -> String? {
            guard let range = value.range(of: "[; ]\(name)=\"[^\"]*\"", options: .regularExpression) else {
                return nil
            }
            return value[range].split(separator: "\"").dropFirst().first.map(String.init)
        }

        func body(_ bytes: ArraySlice<UInt8>) {
            guard problem == nil else { return }
            guard let name, Upload.parts.contains(name) else {
                problem = Problem(
                    .badRequest,
                    "the form has a part that is not known (allowed: image, capture, depth, intrinsics, confidence, request)"
                )
                return
            }
            if name == "request" {
                json = (json ?? Data()) + Data(bytes)
                if json?.count ?? 0 > Self.greatestRequest {
                    problem = Problem(.contentTooLarge, "the request is too large")
                }
                return
            }
            do {
                if writer == nil {
                    let isImage = ["image", "capture"].contains(name)
                    guard isImage || files[name] == nil else {
                        problem = Problem(.badRequest, "the form has the part \"\(name)\" twice")
                        return
                    }
                    guard images.count < Self.mostImages else {
                        problem = Problem(
                            .contentTooLarge, "the form has too many images (allowed: \(Self.mostImages))")
                        return
                    }
                    let number = isImage ? "-\(images.count + 1)" : ""
                    let file = folder.appending(path: "upload-" + name + number + ending)
                    if isImage { images.append(file) } else { files[name] = file }
                    writer = try PartWriter(file)
                }
                try writer?.write(bytes)
            } catch {
                problem =
                    error as? Problem
                    ?? Problem(.serviceUnavailable, "the upload cannot be kept", retryAfter: 10)
            }
        }

        func endPart() {
            writer?.close()
            writer = nil
            name = nil
            ending = ""
        }
    }
}

/// Writes one file.
private final class PartWriter {
    private let handle: FileHandle
    private var isOpen = true

    init(_ file: URL) throws {
        guard
            FileManager.default.createFile(
                atPath: file.path, contents: nil, attributes: [.posixPermissions: 0o600]),
            let handle = FileHandle(forWritingAtPath: file.path)
        else { throw Problem(.serviceUnavailable, "the upload cannot be kept", retryAfter: 10) }
        self.handle = handle
    }

    func write(_ bytes: some Sequence<UInt8>) throws {
        do {
            try handle.write(contentsOf: Data(bytes))
        } catch {
            throw Problem(.serviceUnavailable, "the upload cannot be kept", retryAfter: 10)
        }
    }

    func close() {
        guard isOpen else { return }
        isOpen = false
        try? handle.close()
    }
}
