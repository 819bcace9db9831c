// The names are Apple's, and so are their capitals.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// Stands for who is signed in, as the owner of zones and as the creator of records: `__defaultOwner__`.
public let CKCurrentUserDefaultName = "__defaultOwner__"

public let CKErrorDomain = "CKErrorDomain"
/// In `userInfo` of ``CKError/Code/partialFailure``: errors by the ids of the items that failed.
public let CKPartialErrorsByItemIDKey = "CKPartialErrors"
/// In `userInfo`: seconds after which to try again.
public let CKErrorRetryAfterKey = "CKRetryAfter"
/// In `userInfo` of ``CKError/Code/serverRecordChanged``: the record as the server has it.
public let CKRecordChangedErrorServerRecordKey = "ServerRecord"
/// In `userInfo` of ``CKError/Code/serverRecordChanged``: the record that was to be saved.
public let CKRecordChangedErrorClientRecordKey = "ClientRecord"
/// In `userInfo` of ``CKError/Code/serverRecordChanged``: what the record was when it was fetched.
public let CKRecordChangedErrorAncestorRecordKey = "AncestorRecord"
/// In `userInfo` of ``CKError/Code/zoneNotFound``: whether its owner's keys were reset.
public let CKErrorUserDidResetEncryptedDataKey = "CKUserDidResetEncryptedData"
