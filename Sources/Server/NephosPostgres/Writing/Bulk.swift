import CloudKitWire
import NephosStorage

/// Splits rows by their database, as columns travel: a statement names one.
extension Swift.Sequence {
    func byDatabase(_ database: (Element) -> DatabaseNumber) -> [(database: DatabaseNumber, rows: [Element])] {
        var groups: [(database: DatabaseNumber, rows: [Element])] = []
        for row in self {
            let number = database(row)
            if let index = groups.firstIndex(where: { $0.database == number }) {
                groups[index].rows.append(row)
            } else {
                groups.append((number, [row]))
            }
        }
        return groups
    }
}
