import Foundation

/// Something that predicates are evaluated with: a record, or values by name.
protocol PredicateSubject {
    /// The value of a field; nil where it has none.
    ///
    /// - Parameter name: A field's name. For what every record has, the wire's name: ``SystemKey``. For all texts
    ///   that a search without field looks at, ``PredicateSearch/everyField``, whose value is a list of texts.
    func value(ofField name: String) -> Any?
}

extension Dictionary: PredicateSubject where Key == String {
    func value(ofField name: String) -> Any? { self[name] }
}

extension NSDictionary: PredicateSubject {
    func value(ofField name: String) -> Any? { object(forKey: name) }
}
