import CloudKitWire

/// The part of the query language that needs no index: filters by record name, and no order but by record name.
enum RecordNameFilter {
    /// The names that a query asks for, in order and each once; nil when it asks for all.
    ///
    /// - Throws: ``Refusal/badRequest(_:)`` for every other filter or sort.
    static func names(of query: RecordQuery) throws(Refusal) -> [Name]? {
        for sort in query.sorts {
            guard sort.field.system == .recordName, sort.ascending, sort.relativeLocation == nil else {
                throw notYet("sorts by anything but recordName, ascending")
            }
        }
        var wanted: Set<Name>?
        for filter in query.filters {
            let names = Set(try self.names(of: filter))
            wanted = wanted?.intersection(names) ?? names
        }
        return wanted?.sorted()
    }

    private static func names(of filter: QueryFilter) throws(Refusal) -> [Name] {
        guard filter.field?.system == .recordName, filter.comparator == .equals || filter.comparator == .in else {
            throw notYet("filters by anything but recordName with EQUALS or IN")
        }
        let names: [Name]
        do {
            names = try filter.value.recordNames()
        } catch {
            throw .badRequest("Unexpected input: the filter by recordName: \(error.reason)")
        }
        guard filter.comparator == .in || names.count == 1 else {
            throw .badRequest("Unexpected input: EQUALS takes one record name, IN a list")
        }
        guard names.count <= 250 else { throw .limitExceeded("an IN list has at most 250 values") }
        return names
    }

    private static func notYet(_ what: String) -> Refusal {
        .badRequest("this server does not answer queries with \(what) yet")
    }
}
