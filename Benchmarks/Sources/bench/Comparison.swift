import Stages

/// A row of the table: a case of ours and who is measured beside it.
struct Comparison {
    /// Who else does the same.
    enum Peer {
        /// A case of `peers.py`, and the name that the table gives it.
        case program(String, name: String)
        /// Another case of ours.
        case ours(StageCase, name: String)
        /// Nobody: the bar is absolute.
        case nobody
    }

    /// What a bar is about.
    enum Bar {
        /// At most this ratio of times.
        case time(Double)
        /// At most these ratios of times and of peak memory.
        case timeAndMemory(Double, Double)
        /// At most this time, in milliseconds.
        case milliseconds(Double)
        /// At most this peak memory, in megabytes.
        case megabytes(Double)
    }

    let ours: StageCase
    let peer: Peer
    let bar: Bar?
    /// A fact that both report and that may differ by this share at the most: both must have done the same work.
    let sameFact: (name: String, share: Double)?

    init(
        _ stage: StageCase.Stage, _ task: String, _ size: String, all isOnAllThreads: Bool = false,
        peer: Peer,
        bar: Bar? = nil, same sameFact: (String, Double)? = nil
    ) {
        ours = Self.find(stage, task, size, isOnAllThreads)
        self.peer = peer
        self.bar = bar
        self.sameFact = sameFact
    }

    private static func find(
        _ stage: StageCase.Stage, _ task: String, _ size: String, _ isOnAllThreads: Bool
    ) -> StageCase {
        let name = "\(stage.rawValue)/\(task)/\(size)/\(isOnAllThreads ? "all threads" : "one thread")"
        guard let found = StageCase.all.first(where: { $0.name == name }) else {
            preconditionFailure("no case is named \(name)")
        }
        return found
    }

    /// The rows, by stage and size. A bar is set where the size is the one that it was set for.
    static func rows(sizes: [PhotographSize]) -> [Comparison] {
        var rows: [Comparison] = []
        for size in sizes {
            let isJudged = size == .standard
            let (whole, half) = ("\(size.megapixels) MP", size.halfLabel)
            func opencv(_ task: String) -> Peer { .program("\(task)/\(size.megapixels)", name: "OpenCV") }
            func bar(_ ratio: Double) -> Bar? { isJudged ? .time(ratio) : nil }
            rows += [
                Comparison(.codecs, "decode JPEG", whole, peer: opencv("decode JPEG"), same: ("mean", 0.01)),
                Comparison(
                    .codecs, "decode PNG", half, peer: opencv("decode PNG"), bar: bar(1),
                    same: ("mean", 0.001)),
                Comparison(
                    .codecs, "encode PNG", half, peer: opencv("encode PNG"), bar: bar(0.7),
                    same: ("bytes", 0.1)),
                Comparison(.codecs, "encode JPEG", half, peer: opencv("encode JPEG"), same: ("bytes", 0.1)),
                Comparison(
                    .resampling, "bilinear warp", whole, peer: opencv("bilinear warp"), bar: bar(0.65),
                    same: ("mean", 0.005)),
                Comparison(
                    .resampling, "bicubic warp", whole, peer: opencv("bicubic warp"), bar: bar(0.5),
                    same: ("mean", 0.005)),
                Comparison(
                    .resampling, "curved bilinear warp", whole, peer: opencv("curved bilinear warp"),
                    bar: bar(0.4),
                    same: ("mean", 0.005)),
                Comparison(
                    .resampling, "curved bicubic warp", whole, peer: opencv("curved bicubic warp"),
                    bar: bar(0.4),
                    same: ("mean", 0.005)),
                Comparison(
                    .resampling, "bicubic warp", whole, all: true,
                    peer: .ours(find(.resampling, "bicubic warp", whole, false), name: "ours, one thread"),
                    bar: bar(0.55)),
                Comparison(
                    .endToEnd, "command", whole, all: true,
                    peer: .program(
                        "plane script/\(size.megapixels)", name: "OpenCV + Open3D script, plane only"),
                    bar: size.commandBar.map { .timeAndMemory($0, 0.5) }),
            ]
        }
        rows += ["256x192", "640x480", "4032x3024"].map { size in
            Comparison(
                .cloud, "unproject, covariance", size, peer: .program("cloud/\(size)", name: "Open3D"),
                bar: size == "640x480" ? .time(0.25) : nil, same: ("points", 0))
        }
        rows += [
            Comparison(
                .plane, "robust plane", "300,000 points, 25 % outliers",
                peer: .program("robust plane", name: "Open3D, 1000 iterations"), bar: .time(0.005)),
            Comparison(
                .surface, "free surface", "300,000 readings",
                peer: .program("free surface", name: "scipy, sparse normal equations"), bar: .time(0.07)),
            Comparison(
                .unrolling, "as rigid as possible", "grid of 2 mm",
                peer: .program("unrolling", name: "libigl ARAP"), bar: .time(0.5), same: ("vertices", 0)),
            Comparison(
                .reading, "text", "35 lines", all: true,
                peer: .program("text", name: "tesseract, one pass, one thread"), bar: .time(1)),
            // 45 frames at 15 a second, on one core.
            Comparison(
                .guidance, "follow a sheet", GuidanceVideo.label, peer: .nobody, bar: .milliseconds(3000)),
            Comparison(
                .guidance, "look for a sheet", GuidanceVideo.label, peer: .nobody, bar: .milliseconds(3000)),
            Comparison(.endToEnd, "command", "12 MP", all: true, peer: .nobody, bar: .megabytes(130)),
            Comparison(.endToEnd, "start-up", "--help", all: true, peer: .nobody, bar: .milliseconds(8)),
        ]
        return StageCase.Stage.allCases.flatMap { stage in rows.filter { $0.ours.stage == stage } }
    }
}

extension PhotographSize {
    /// The most that the whole command may take, as a multiple of the script's time: small photographs leave less to gain on
    /// what every run takes.
    fileprivate var commandBar: Double? {
        switch self {
        case .small: 1.3
        case .standard, .large: 0.75
        default: nil
        }
    }
}
