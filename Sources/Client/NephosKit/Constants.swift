// The names and their capitalization are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation

/// The name that stands for the person who is signed in, as the owner of zones and as the creator of records:
/// `__defaultOwner__`.
public let CKCurrentUserDefaultName = "__defaultOwner__"

/// The domain of every ``CKError``.
public let CKErrorDomain = "CKErrorDomain"
/// The key in `userInfo` of ``CKError/Code/partialFailure`` for the errors by the IDs of the items that failed.
public let CKPartialErrorsByItemIDKey = "CKPartialErrors"
/// The key in `userInfo` for the number of seconds to wait before the request is retried.
public let CKErrorRetryAfterKey = "CKRetryAfter"
/// The key in `userInfo` of ``CKError/Code/serverRecordChanged`` for the record as the server stores it.
public let CKRecordChangedErrorServerRecordKey = "ServerRecord"
/// The key in `userInfo` of ``CKError/Code/serverRecordChanged`` for the record that could not be saved.
public let CKRecordChangedErrorClientRecordKey = "ClientRecord"
/// The key in `userInfo` of ``CKError/Code/serverRecordChanged`` for the record as it was when it was fetched.
public let CKRecordChangedErrorAncestorRecordKey = "AncestorRecord"
/// The key in `userInfo` of ``CKError/Code/zoneNotFound`` for whether the encryption keys of the zone's owner were
/// reset. It exists for source compatibility: this library never sets it.
public let CKErrorUserDidResetEncryptedDataKey = "CKUserDidResetEncryptedData"

/// The record name of the share of a whole zone.
public let CKRecordNameZoneWideShare = "cloudkit.zoneshare"

extension NSNotification.Name {
    /// Posted when a person signs in or out, and when a session ends. It can be posted on any thread; call
    /// ``CKContainer/accountStatus()`` again when it arrives.
    public static let CKAccountChanged = NSNotification.Name("CKAccountChangedNotification")
}
