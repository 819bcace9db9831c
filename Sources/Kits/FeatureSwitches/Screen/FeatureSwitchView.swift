#if canImport(SwiftUI)
    public import SwiftUI

    /// The internal screen: every flag with its value, the server's value and the reason; in builds with the trait
    /// `FeatureOverrides` a picker overrides it on this device.
    ///
    /// Written from Apple's documentation and not compiled where this package is built (docs/switches.md).
    public struct FeatureSwitchView: View {
        @State private var list: FeatureSwitchList

        public init(_ switches: FeatureSwitches) { _list = State(initialValue: FeatureSwitchList(switches)) }

        public var body: some View {
            List {
                Section("Values") {
                    Text(list.state.originText)
                    if let problem = list.state.problemText { Text(problem).foregroundStyle(.red) }
                }
                Section("Flags") { ForEach(list.rows) { FlagRowView(row: $0, list: list) } }
                #if FeatureOverrides
                    Button("Remove All Overrides", role: .destructive) { list.removeAllOverrides() }
                #endif
            }
            .refreshable { await list.refresh() }
        }
    }

    private struct FlagRowView: View {
        let row: FlagRow
        let list: FeatureSwitchList

        var body: some View {
            HStack {
                VStack(alignment: .leading) {
                    Text(row.name)
                    Text("Server: \(row.serverValue?.json ?? "none")").font(.caption)
                    Text(row.why).font(.caption).foregroundStyle(.secondary)
                }
                Spacer()
                #if FeatureOverrides
                    if row.isSwitch {
                        Picker(row.name, selection: override) {
                            Text("As on the server").tag(Bool?.none)
                            Text("On").tag(Bool?.some(true))
                            Text("Off").tag(Bool?.some(false))
                        }
                        .labelsHidden()
                    }
                #endif
                Text(row.value.json)
            }
        }

        #if FeatureOverrides
            private var override: Binding<Bool?> {
                Binding {
                    row.override?.switchValue
                } set: { isOn in
                    list.setOverride(isOn.map { .bool($0) }, of: row.id)
                }
            }
        #endif
    }
#endif
