// The names are Apple's, and so are their capitals.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation

/// Stands for who is signed in, as the owner of zones and as the creator of records: `__defaultOwner__`.
public let CKCurrentUserDefaultName = "__defaultOwner__"

/// The domain of every ``CKError``.
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

/// The name of a zone's own share.
public let CKRecordNameZoneWideShare = "cloudkit.zoneshare"

extension NSNotification.Name {
    /// Somebody signed in or out, or a session ended. Posted on any thread; ask ``CKContainer/accountStatus()`` again.
    public static let CKAccountChanged = NSNotification.Name("CKAccountChangedNotification")
}
