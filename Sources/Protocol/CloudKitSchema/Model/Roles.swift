public import CloudKitWire

extension Schema {
    /// Roles that always exist and cannot be declared.
    public enum BuiltInRole {
        /// The creator of the record.
        public static let creator: Name = "_creator"
        /// Any signed-in user.
        public static let icloud: Name = "_icloud"
        /// Everybody, signed in or not.
        public static let world: Name = "_world"

        /// In the order of an export.
        public static let all: [Name] = [creator, icloud, world]
    }
}
