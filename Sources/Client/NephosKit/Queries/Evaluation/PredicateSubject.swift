import Foundation

/// An object that a predicate can be evaluated with: a record, or a dictionary of values by name.
protocol PredicateSubject {
    /// Returns the value of a field; nil if the field has no value.
    ///
    /// - Parameter name: The name of a field. For system fields, it is the name in the protocol (``SystemKey``). For a
    ///   search without a field, it is ``PredicateSearch/everyField``, whose value is a list of all searchable strings.
    func value(ofField name: String) -> Any?
}

extension Dictionary: PredicateSubject where Key == String {
    func value(ofField name: String) -> Any? { self[name] }
}

extension NSDictionary: PredicateSubject {
    func value(ofField name: String) -> Any? { object(forKey: name) }
}
