// The name under which code that was written for Apple's platforms finds the library, and what that code expects to see
// through it.
@_exported import CoreLocation
@_exported import Foundation
@_exported import NephosKit
