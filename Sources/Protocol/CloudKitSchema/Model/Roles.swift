public import CloudKitWire

extension Schema {
    /// Roles that are always there and cannot be declared.
    public enum BuiltInRole {
        /// Whoever created the record.
        public static let creator: Name = "_creator"
        /// Anybody who is signed in.
        public static let icloud: Name = "_icloud"
        /// Anybody, signed in or not.
        public static let world: Name = "_world"

        /// In the order of an export.
        public static let all: [Name] = [creator, icloud, world]
    }
}
