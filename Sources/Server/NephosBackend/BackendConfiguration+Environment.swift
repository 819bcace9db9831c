import NephosDomain
package import NephosRunner

extension BackendConfiguration {
    /// Sets limits from the environment variables named here; unset and empty ones change nothing.
    ///
    /// - Throws: ``EnvironmentProblem``, which names the variable, its value, and what it may be.
    package mutating func apply(environment: [String: String]) throws(EnvironmentProblem) {
        let variables = EnvironmentVariables(environment)
        try variables.setSeconds(&signatureWindowMilliseconds, "NEPHOS_SIGNATURE_WINDOW_SECONDS")
        try variables.set(&tombstoneDays, "NEPHOS_TOMBSTONE_DAYS", 1...36_500)
        try variables.set(&trashDays, "NEPHOS_TRASH_DAYS", 1...36_500)
        try variables.set(&upkeepSeconds, "NEPHOS_UPKEEP_SECONDS", 1...86_400)
        try variables.setSeconds(&jobLeaseMilliseconds, "NEPHOS_JOB_LEASE_SECONDS")
        if let megabytes = try variables.number("NEPHOS_ASSET_MB", 1...10_240) {
            assetBytesMax = Int64(megabytes) << 20
        }
        if let megabytes = try variables.number("NEPHOS_UNHELD_PERSON_MB", 1...1_048_576) {
            unreferencedFiles.uploaderBytesMax = Int64(megabytes) << 20
        }
        if let megabytes = try variables.number("NEPHOS_UNHELD_CONTAINER_MB", 1...1_048_576) {
            unreferencedFiles.bytesMax = Int64(megabytes) << 20
        }
    }
}
