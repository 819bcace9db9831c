import CloudKit
import FeatureSwitches
import FeatureSwitchesCloudKit

/// Prints the flags as they are at the start, and once more after the kit has asked: for the article's record with CloudKit
/// (`records`), or for flags by OFREP (`server`).
func runKit(_ arguments: [String]) {
    let provider: any FlagProvider = arguments == ["server"] ? server : records
    let switches = FeatureSwitches(provider: provider, declaring: [FeatureSwitch.tipJar, .chibiVersionCheck])
    describe(switches)
    Task {
        if case .failed(let fault) = await switches.refresh() { print("failed: \(fault)") }
        describe(switches)
        print("end")
    }
}

private var records: CloudFlagProvider {
    CloudFlagProvider(container: .default(), records: .newest("AppFeatures"))
}

private var server: OFREPProvider {
    let settings = ProcessInfo.processInfo.environment
    guard let url = settings["NEPHOS_URL"].flatMap(URL.init(string:)), let container = settings["NEPHOS_CONTAINER"],
        let token = settings["NEPHOS_API_TOKEN"]
    else {
        print("Set NEPHOS_URL, NEPHOS_CONTAINER and NEPHOS_API_TOKEN.")
        exit(1)
    }
    return OFREPProvider(
        server: url, container: container, environment: "development",
        credentials: OFREPProvider.Credentials(token: token))
}

private func describe(_ switches: FeatureSwitches) {
    let origin =
        switch switches.state.origin {
        case .defaults: "defaults"
        case .kept: "kept"
        case .fetched: "fetched"
        }
    print("\(origin):", showsTipJar(switches), switches.isFeatureEnabled(.chibiVersionCheck))
}
