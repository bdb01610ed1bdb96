import Diagnostics
import Platform
import SQLiteDatabase
import ScalarText

extension StoredContact {
    /// Returns the existing contacts with these numbers, in no particular order.
    /// - Parameter ids: nil for all.
    static func fetch(_ database: Database, ids: [Int]? = nil) throws -> [StoredContact] {
        guard let ids else { return try fetch(database, where: "1", []) }
        var found: [StoredContact] = []
        // A statement accepts a limited number of values.
        for start in stride(from: 0, to: ids.count, by: numbersInAStatement) {
            let some = ids[start..<min(start + numbersInAStatement, ids.count)]
            let marks = Array(repeating: "?", count: some.count).joined(separator: ",")
            found += try fetch(database, where: "%id IN (\(marks))", some.map(DatabaseValue.integer))
        }
        return found
    }

    /// Returns contacts that must exist; throws `.badInput` for a missing one.
    static func fetch(_ database: Database, existing ids: [Int], file: String) throws -> [StoredContact] {
        let found = try fetch(database, ids: ids)
        let missing = Set(ids).subtracting(found.map(\.id)).sorted()
        guard missing.isEmpty else {
            throw FlatteningError(
                .badInput, "there is no contact \(missing.map(String.init).joined(separator: ", "))",
                file: file,
                stage: .contacts)
        }
        return found
    }

    /// Far below SQLite's lowest limit of 999.
    private static let numbersInAStatement = 500

    /// - Parameter condition: SQL with `%id` for the contact's number.
    private static func fetch(
        _ database: Database, where condition: String, _ arguments: [DatabaseValue]
    ) throws -> [StoredContact] {
        func rows(_ columns: String, of table: String, id: String, order: String) throws -> [Row] {
            try database.rows(
                "SELECT \(id), \(columns) FROM \(table) WHERE \(condition.replacingScalars("%id", with: id)) ORDER BY \(order)",
                arguments)
        }
        let decoder = JSONDecoder()
        var values: [Int: [StoredValue]] = [:]
        for row in try rows("content", of: "value", id: "contact", order: "contact, place") {
            let content = try decoder.decode(StoredValue.self, from: Data(row.text(1).utf8))
            values[try row.integer(0), default: []].append(content)
        }
        var pictures: [Int: [Picture]] = [:]
        for row in try rows("hash, name", of: "picture", id: "contact", order: "contact, place") {
            pictures[try row.integer(0), default: []].append(
                Picture(hash: try row.text(1), name: try row.text(2)))
        }
        return try rows("added, changed", of: "contact", id: "id", order: "id").map { row in
            let id = try row.integer(0)
            return StoredContact(
                id: id, values: values[id] ?? [], pictures: pictures[id] ?? [],
                added: Date(timeIntervalSince1970: try row.real(1)),
                changed: Date(timeIntervalSince1970: try row.real(2)))
        }
    }

    /// Deletes contacts and everything that belongs to them.
    static func delete(_ ids: [Int], from database: Database) throws {
        for id in ids {
            try deleteSearch(id, from: database)
            // This also deletes its values and pictures.
            try database.execute("DELETE FROM contact WHERE id = ?", [.integer(id)])
        }
    }

    private static func deleteSearch(_ id: Int, from database: Database) throws {
        for table in Schema.searchTables {
            try database.execute("DELETE FROM \(table) WHERE rowid = ?", [.integer(id)])
        }
    }

    /// Writes everything but the number, replacing what was stored.
    /// - Returns: the contact as stored; times are rounded.
    func written(to database: Database) throws -> StoredContact {
        try database.execute(
            "UPDATE contact SET added = ?, changed = ? WHERE id = ?",
            [.real(added.timeIntervalSince1970), .real(changed.timeIntervalSince1970), .integer(id)])
        try database.execute("DELETE FROM value WHERE contact = ?", [.integer(id)])
        try database.execute("DELETE FROM picture WHERE contact = ?", [.integer(id)])
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        for (place, value) in values.enumerated() {
            try database.execute(
                "INSERT INTO value (contact, place, field, content) VALUES (?, ?, ?, ?)",
                [
                    .integer(id), .integer(place), .text(value.field.rawValue),
                    .text(String(decoding: try encoder.encode(value), as: UTF8.self)),
                ])
        }
        for (place, picture) in pictures.enumerated() {
            try database.execute(
                "INSERT INTO picture (contact, place, hash, name) VALUES (?, ?, ?, ?)",
                [.integer(id), .integer(place), .text(picture.hash), .text(picture.name)])
        }
        try Self.deleteSearch(id, from: database)
        let words = SearchText(of: values)
        try database.execute(
            "INSERT INTO word (rowid, name, organisation, other) VALUES (?, ?, ?, ?)",
            [.integer(id), .text(words.names), .text(words.organisations), .text(words.others)])
        try database.execute(
            "INSERT INTO part (rowid, text) VALUES (?, ?)", [.integer(id), .text(words.parts)])
        guard let stored = try Self.fetch(database, ids: [id]).first else {
            throw DamagedDatabase()
        }
        return stored
    }
}
