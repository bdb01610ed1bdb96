/// What a flat image shows beyond the sheet's edge: in its margin and along sides that are not straight.
public enum SheetEdge: String, CaseIterable, Sendable {
    /// The paper's own colour continues to the image's edge.
    case fill
    /// The photograph as it is there.
    case keep
}
