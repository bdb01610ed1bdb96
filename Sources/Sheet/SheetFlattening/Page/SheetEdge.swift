/// What a flat picture shows beyond the sheet's edge, in its margin and along sides that are not straight.
public enum SheetEdge: String, CaseIterable, Sendable {
    /// The paper's own colour goes on to the picture's edge.
    case fill
    /// What the photograph shows there.
    case keep
}
