// The module name that code for Apple's platforms imports. Re-exports the library, and the modules that such code
// expects to be imported with it.
@_exported import CoreLocation
@_exported import Foundation
@_exported import NephosKit
