import NephosDelivery
import NephosDomain

extension BackendConfiguration {
    /// Takes limits from the environment variables named here; unset and empty ones change nothing.
    ///
    /// - Throws: ``EnvironmentProblem``, which names the variable, its value, and what it may be.
    package mutating func apply(environment: [String: String]) throws(EnvironmentProblem) {
        let variables = EnvironmentVariables(environment)
        try variables.setSeconds(&signatureWindowMilliseconds, "NEPHOS_SIGNATURE_WINDOW_SECONDS")
        try variables.set(&tombstoneDays, "NEPHOS_TOMBSTONE_DAYS", 1...36_500)
        try variables.set(&trashDays, "NEPHOS_TRASH_DAYS", 1...36_500)
        try variables.set(&upkeepSeconds, "NEPHOS_UPKEEP_SECONDS", 1...86_400)
        try variables.setSeconds(&jobLeaseMilliseconds, "NEPHOS_JOB_LEASE_SECONDS")
        if let window = try variables.number("NEPHOS_PUSH_WINDOW_MILLISECONDS", 0...3_600_000) {
            delivery.window = Int64(window)
        }
        if let poll = try variables.number("NEPHOS_PUSH_POLL_SECONDS", 1...3_600) {
            delivery.pollEvery = .seconds(poll)
        }
        if let wait = try variables.number("NEPHOS_COURIER_SECONDS", 1...3_600) { delivery.pollWait = .seconds(wait) }
        try variables.set(&delivery.deviceHours, "NEPHOS_DEVICE_HOURS", 2...87_600)
        try variables.set(&delivery.logDays, "NEPHOS_PUSH_LOG_DAYS", 1...36_500)
        if let megabytes = try variables.number("NEPHOS_ASSET_MB", 1...10_240) {
            assetBytesMax = Int64(megabytes) << 20
        }
        if let megabytes = try variables.number("NEPHOS_UNHELD_PERSON_MB", 1...1_048_576) {
            unheldFiles.uploaderBytesMax = Int64(megabytes) << 20
        }
        if let megabytes = try variables.number("NEPHOS_UNHELD_CONTAINER_MB", 1...1_048_576) {
            unheldFiles.bytesMax = Int64(megabytes) << 20
        }
    }
}
