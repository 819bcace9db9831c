public import CoreLocation
public import Foundation

// The types of the arguments that programs pass for `%@`. Before Swift 6.4, Foundation accepts only strings and numbers
// as arguments; since then, every object is an argument.
//
// The types are listed one by one, instead of declaring all objects as arguments: `String(format:)` gets the object to
// print through `_CVarArgObject`, and would print "(null)" for a string that is an argument only because it is an
// object.
#if !canImport(Darwin) && compiler(<6.4)
    /// An argument that `String(format:)` prints by its description.
    public protocol DescribedArgument: _CVarArgObject {}

    extension DescribedArgument {
        public var _cVarArgObject: any CVarArg { NSString(string: String(describing: self)) }

        /// A placeholder: Foundation uses the object instead, and the formats of predicates use the value itself.
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
