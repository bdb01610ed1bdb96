import Crypto
import Foundation
public import HummingbirdCore
import HummingbirdHTTP2
import NIOCore
import NIOSSL
import SwiftASN1
import X509

/// What outlives a run: the token and the certificate that phones have learned.
public struct ServerState: Sendable {
    private let folder: URL

    /// A certificate's files.
    public struct Certificate: Sendable {
        let chain: String
        let key: String

        /// Files in PEM.
        public init(chain: String, key: String) {
            self.chain = chain
            self.key = key
        }

        /// A server that encrypts by it, and speaks HTTP/2 with callers that do.
        /// - Throws: where the files cannot be read or do not belong together.
        public func server() throws -> HTTPServerBuilder {
            let certificates = try NIOSSLCertificate.fromPEMFile(chain).map {
                NIOSSLCertificateSource.certificate($0)
            }
            let key = try NIOSSLPrivateKey(file: key, format: .pem)
            var configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: certificates, privateKey: .privateKey(key))
            configuration.minimumTLSVersion = .tlsv12
            return try .http2Upgrade(tlsConfiguration: configuration)
        }
    }

    /// State in a folder.
    init(folder: URL) { self.folder = folder }

    /// The state of this user, in the folder of the user's data.
    public init() {
        let home = ProcessInfo.processInfo.environment["XDG_STATE_HOME"].flatMap {
            $0.hasPrefix("/") ? URL(filePath: $0) : nil
        }
        folder = (home ?? FileManager.default.homeDirectoryForCurrentUser.appending(path: ".local/state"))
            .appending(path: "receipt-flattening/server")
    }

    /// The token of a file, which is made where it is not there.
    /// - Parameter path: the file; nil for the usual one.
    public func token(in path: String?) throws -> String {
        let file = path.map { URL(filePath: $0) } ?? folder.appending(path: "token")
        if let data = try? Data(contentsOf: file) {
            let token = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
            guard token.utf8.count >= 16 else {
                throw Problem(
                    .internalServerError, "\(file.path) holds no token: it has at least 16 characters")
            }
            return token
        }
        let token = RandomWord.make()
        try write(Data((token + "\n").utf8), to: file)
        return token
    }

    /// A certificate for this machine's names and addresses, made once.
    public func selfSignedCertificate() throws -> Certificate {
        let (chain, key) = (folder.appending(path: "certificate.pem"), folder.appending(path: "key.pem"))
        let names =
            [GeneralName.dnsName("localhost"), .dnsName(ProcessInfo.processInfo.hostName)]
            + Self.addressBytes.map { .ipAddress(ASN1OctetString(contentBytes: $0[...])) }
        if let pem = try? String(contentsOf: chain, encoding: .utf8),
            let old = try? X509.Certificate(pemEncoded: pem),
            old.notValidAfter > Date().addingTimeInterval(7 * 86400),
            let known = try? old.extensions.subjectAlternativeNames, Set(known).isSuperset(of: names),
            FileManager.default.isReadableFile(atPath: key.path)
        {
            return Certificate(chain: chain.path, key: key.path)
        }
        let secret = P256.Signing.PrivateKey()
        let subject = try DistinguishedName { CommonName("flatten-server") }
        // Browsers take no certificate of servers that is valid for more than 398 days.
        let certificate = try X509.Certificate(
            version: .v3, serialNumber: .init(), publicKey: .init(secret.publicKey),
            notValidBefore: Date().addingTimeInterval(-86400),
            notValidAfter: Date().addingTimeInterval(390 * 86400),
            issuer: subject, subject: subject, signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try .init {
                Critical(BasicConstraints.notCertificateAuthority)
                try ExtendedKeyUsage([.serverAuth])
                SubjectAlternativeNames(names)
            }, issuerPrivateKey: .init(secret))
        try write(Data(try certificate.serializeAsPEM().pemString.utf8), to: chain)
        try write(Data(secret.pemRepresentation.utf8), to: key)
        return Certificate(chain: chain.path, key: key.path)
    }

    /// Writes a file that others cannot read.
    private func write(_ data: Data, to file: URL) throws {
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        try? FileManager.default.removeItem(at: file)
        guard
            FileManager.default.createFile(
                atPath: file.path, contents: data, attributes: [.posixPermissions: 0o600])
        else { throw Problem(.internalServerError, "\(file.path) cannot be written") }
    }

    /// The addresses of this machine that other machines may know, as bytes.
    private static var addressBytes: [[UInt8]] {
        let devices = (try? System.enumerateDevices()) ?? []
        return devices.compactMap(\.address).compactMap { address in
            switch address {
            case .v4(let v4): withUnsafeBytes(of: v4.address.sin_addr) { Array($0) }
            case .v6(let v6): withUnsafeBytes(of: v6.address.sin6_addr) { Array($0) }
            default: nil
            }
        }
    }

    /// The addresses to open on another machine: those of version 4, the loopback's left out, unless there are no others.
    public static var addresses: [String] {
        let all = addressBytes.filter { $0.count == 4 }.map { $0.map(String.init).joined(separator: ".") }
        let others = all.filter { !$0.hasPrefix("127.") }
        return others.isEmpty ? ["127.0.0.1"] : others
    }
}
