public import CoreLocation
public import Foundation

// What programs pass for `%@`. Foundation lets strings and numbers through and nothing else until Swift 6.4, whose every
// object is an argument.
//
// Only these types, and not all objects at once: `String(format:)` asks an argument for the object to print by
// `_CVarArgObject`, and would print "(null)" for strings that have become an argument as an object.
#if !canImport(Darwin) && compiler(<6.4)
    /// An argument that `String(format:)` prints by its description.
    public protocol DescribedArgument: _CVarArgObject {}

    extension DescribedArgument {
        public var _cVarArgObject: any CVarArg { NSString(string: String(describing: self)) }

        /// Nothing: Foundation takes the object instead, and our formats take the value itself.
        public var _cVarArgEncoding: [Int] { [0] }
    }

    extension Date: @retroactive CVarArg, @retroactive _CVarArgObject, DescribedArgument {}
    extension Data: @retroactive CVarArg, @retroactive _CVarArgObject, DescribedArgument {}
    extension Array: @retroactive CVarArg, @retroactive _CVarArgObject, DescribedArgument {}
    extension NSNumber: @retroactive CVarArg, @retroactive _CVarArgObject, DescribedArgument {}
    extension NSDate: @retroactive CVarArg, @retroactive _CVarArgObject, DescribedArgument {}
    extension NSData: @retroactive CVarArg, @retroactive _CVarArgObject, DescribedArgument {}
    extension NSArray: @retroactive CVarArg, @retroactive _CVarArgObject, DescribedArgument {}
    extension NSSet: @retroactive CVarArg, @retroactive _CVarArgObject, DescribedArgument {}
    extension NSNull: @retroactive CVarArg, @retroactive _CVarArgObject, DescribedArgument {}
    extension CLLocation: DescribedArgument {}
    extension CKRecordID: DescribedArgument {}
    extension CKReference: DescribedArgument {}
    extension CKRecord: DescribedArgument {}
#endif
