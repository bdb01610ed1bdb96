import Checksums
package import Platform
import SQLiteDatabase

extension DocumentArchive {
    /// A file that could not be archived.
    package struct Refusal: Sendable {
        /// SHA-256 of its content.
        let hash: String
        package let name: String
        package let reason: String
        let date: Date
    }

    /// Returns the hash by which a file is recognised.
    package func hash(ofFile path: String) throws(FlatteningError) -> String {
        try SHA256.digest(ofFile: path)
    }

    /// Whether a file is an original of a document, or was refused.
    package func knows(_ hash: String) throws(FlatteningError) -> Bool {
        try reading { database in
            try !database.rows(
                """
                SELECT 1 FROM refusal WHERE hash = ?1
                UNION SELECT 1 FROM file WHERE hash = ?1 AND role = 'original' LIMIT 1
                """, [.text(hash)]
            ).isEmpty
        }
    }

    /// Records that a file could not be archived, so that it is not tried again.
    package func refuse(_ hash: String, name: String, reason: String, date: Date = Date())
        throws(FlatteningError)
    {
        try writing { database in
            try database.execute(
                "INSERT OR REPLACE INTO refusal (hash, name, reason, at) VALUES (?, ?, ?, ?)",
                [.text(hash), .text(name), .text(reason), .real(date.timeIntervalSince1970)])
        }
    }

    /// Returns the files that could not be archived, the oldest first.
    package func refusals() throws(FlatteningError) -> [Refusal] {
        try reading { database in
            try database.rows("SELECT hash, name, reason, at FROM refusal ORDER BY at").map {
                Refusal(
                    hash: try $0.text(0), name: try $0.text(1), reason: try $0.text(2),
                    date: Date(timeIntervalSince1970: try $0.real(3)))
            }
        }
    }
}
