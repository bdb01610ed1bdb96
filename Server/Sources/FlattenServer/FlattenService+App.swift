import Foundation
import Hummingbird

/// The web app, whose files are part of the program.
extension FlattenService {
    /// The files by their paths, with their media types.
    static let assets: [String: (type: String, bytes: [UInt8])] = [
        "index.html": ("text/html; charset=utf-8", PackageResources.index_html),
        "login.html": ("text/html; charset=utf-8", PackageResources.login_html),
        "app.js": ("text/javascript; charset=utf-8", PackageResources.app_js),
        "scan.js": ("text/javascript; charset=utf-8", PackageResources.scan_js),
        "review.js": ("text/javascript; charset=utf-8", PackageResources.review_js),
        "archive.js": ("text/javascript; charset=utf-8", PackageResources.archive_js),
        "found.js": ("text/javascript; charset=utf-8", PackageResources.found_js),
        "settings.js": ("text/javascript; charset=utf-8", PackageResources.settings_js),
        "areas.js": ("text/javascript; charset=utf-8", PackageResources.areas_js),
        "mesh.js": ("text/javascript; charset=utf-8", PackageResources.mesh_js),
        "words.js": ("text/javascript; charset=utf-8", PackageResources.words_js),
        "worker.js": ("text/javascript; charset=utf-8", PackageResources.worker_js),
        "style.css": ("text/css; charset=utf-8", PackageResources.style_css),
        "icon.svg": ("image/svg+xml", PackageResources.icon_svg),
        "app.webmanifest": ("application/manifest+json", PackageResources.app_webmanifest),
        "openapi.json": ("application/json", PackageResources.openapi_json),
    ]

    static func asset(_ name: String) -> Response {
        guard let asset = assets[name] else { return Problem(.notFound, "there is no such page").response }
        return Response(
            status: .ok, headers: [.contentType: asset.type, .cacheControl: "no-cache"],
            body: .init(byteBuffer: ByteBuffer(bytes: asset.bytes)))
    }

    /// Where people say the token.
    static var loginPage: Response {
        var page = asset("login.html")
        page.status = .unauthorized
        page.headers[.wwwAuthenticate] = "Bearer"
        return page
    }

    func addApp(to router: Router<FlattenContext>) {
        router.get("/") { _, _ in Self.asset("index.html") }
        for name in Self.assets.keys where !["index.html", "login.html", "openapi.json"].contains(name) {
            router.get(RouterPath(name)) { _, _ in Self.asset(name) }
        }
        router.get("v1/openapi.json") { _, _ in Self.asset("openapi.json") }
    }
}
