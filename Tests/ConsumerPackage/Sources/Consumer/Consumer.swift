import CloudKitWire

let user = UserID(high: 1, low: 2)
precondition(UserID(recordName: user.recordName) == user)
print("The library works: \(user.recordName)")
