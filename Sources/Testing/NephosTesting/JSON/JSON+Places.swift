extension JSON {
    /// A step into a document.
    package enum Step: Sendable, Equatable, CustomStringConvertible {
        case member(String)
        case element(Int)

        package var description: String {
            switch self {
            case .member(let name): name
            case .element(let index): "[\(index)]"
            }
        }
    }

    /// Paths to all values of the document, its root first.
    package var places: [[Step]] {
        var places: [[Step]] = [[]]
        for member in members { places += member.value.places.map { [.member(member.name)] + $0 } }
        for (index, element) in elements.enumerated() { places += element.places.map { [.element(index)] + $0 } }
        return places
    }

    /// The value at a path. Setting it to ``JSON/absent`` removes it.
    package subscript(at place: some Collection<Step>) -> JSON {
        get {
            switch place.first {
            case nil: self
            case .member(let name): self[name][at: place.dropFirst()]
            case .element(let index): self[index][at: place.dropFirst()]
            }
        }
        set {
            switch place.first {
            case nil: self = newValue
            case .member(let name):
                guard let index = members.firstIndex(where: { $0.name == name }) else { return }
                var members = members
                members[index].value[at: place.dropFirst()] = newValue
                self = .object(members.filter { !$0.value.isAbsent })
            case .element(let index):
                var elements = elements
                elements[index][at: place.dropFirst()] = newValue
                self = .array(elements.filter { !$0.isAbsent })
            }
        }
    }
}
