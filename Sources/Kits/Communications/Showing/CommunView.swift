#if canImport(SwiftUI)
    public import SwiftUI

    /// A message as a sheet or a full screen: picture, title, text, list, and one or two buttons.
    ///
    /// Written from Apple's documentation and not compiled where this package is built (docs/communications.md).
    public struct CommunView: View {
        private let center: CommunCenter
        private let commun: CommunPresentation
        private let end: @MainActor () -> Void

        /// - Parameter end: Closes the view; called after a button was pressed.
        public init(_ commun: CommunPresentation, _ center: CommunCenter, end: @escaping @MainActor () -> Void) {
            (self.commun, self.center, self.end) = (commun, center, end)
        }

        public var body: some View {
            VStack(spacing: 16) {
                ScrollView {
                    VStack(spacing: 16) {
                        picture
                        Text(verbatim: commun.title).font(.title).accessibilityAddTraits(.isHeader)
                        Text(verbatim: commun.body).frame(maxWidth: .infinity, alignment: .leading)
                        ForEach(Array(commun.list.enumerated()), id: \.offset) { _, entry in
                            Label {
                                Text(verbatim: entry)
                            } icon: {
                                Text(verbatim: "•")
                            }
                            .frame(maxWidth: .infinity, alignment: .leading)
                        }
                    }
                }
                ForEach(commun.buttons) { button in
                    Button(role: button.role == .cancel ? .cancel : nil) {
                        press(button)
                    } label: {
                        Text(verbatim: button.title).frame(maxWidth: .infinity)
                    }
                    .buttonStyle(.bordered)
                }
            }
            .padding()
            .task { await center.shown(commun) }
        }

        @ViewBuilder private var picture: some View {
            Group {
                switch commun.image {
                case .emoji(let emoji): Text(verbatim: emoji).font(.system(size: 96))
                case .url(let url):
                    AsyncImage(url: url) {
                        $0.resizable().scaledToFit()
                    } placeholder: {
                        ProgressView()
                    }
                    .frame(maxHeight: 240)
                case nil: EmptyView()
                }
            }
            .accessibilityLabel(Text(verbatim: commun.imageLabel ?? ""))
            .accessibilityHidden(commun.imageLabel == nil)
        }

        private func press(_ button: CommunButton) {
            end()
            Task { await center.press(button, of: commun) }
        }
    }

    #Preview("New version") {
        let commun = Commun(
            title: ["en": "New in 2.5"], image: .emoji("💃"), content: ["en": "It has flags."],
            type: .newVersion(
                okayTitle: ["en": "Have it"], actionTitle: ["en": "Update"], cancelTitle: ["en": "No thanks"],
                action: .update, alreadyUpdated: false), identifier: 3)
        CommunView(
            CommunPresentation(commun, locale: "en"),
            CommunCenter(getter: StubCommunGetter(commun), actions: CommunActions(), memory: CommunMemory(file: nil))
        ) {}
    }
#endif
