#if canImport(SwiftUI)
    public import SwiftUI

    /// The form in an app's internal build for publishing or withdrawing a record. A server refuses users without the role, and the
    /// form shows the reason.
    ///
    /// Written from Apple's documentation and not compiled where this package is built (docs/published-content.md).
    public struct PublishFormView: View {
        private let content: PublishedContent
        private let id: String
        @State private var form: PublishForm
        /// As typed, including separators.
        @State private var languages: String
        @State private var isAsking = false
        @State private var outcome: String?

        /// - Parameters:
        ///   - id: The name of the record.
        ///   - form: The current publication of the record, or a new one.
        public init(_ content: PublishedContent, _ id: String, _ form: PublishForm = PublishForm()) {
            (self.content, self.id) = (content, id)
            _form = State(initialValue: form)
            _languages = State(initialValue: form.languages.joined(separator: ", "))
        }

        public var body: some View {
            Form {
                Section("When") {
                    MomentRow(name: "Begins later", moment: $form.start)
                    MomentRow(name: "Ends", moment: $form.end)
                    problem(.end)
                }
                Section("Audience") {
                    TextField("Version from, such as 2.3", text: $form.minimumVersion)
                    problem(.minimumVersion)
                    TextField("Languages, such as es, pt-BR", text: $languages)
                        .onChange(of: languages) { form.languages = PublishForm.languages(in: languages) }
                    problem(.languages)
                }
                Section {
                    Button("Publish") { ask { try await content.publish(id, form) } }
                        .disabled(!form.problems.isEmpty || isAsking)
                    Button("Withdraw", role: .destructive) { ask { try await content.withdraw(id) } }
                        .disabled(isAsking)
                    if let outcome { Text(outcome) }
                }
            }
        }

        @ViewBuilder private func problem(_ field: PublishForm.Field) -> some View {
            if let problem = form.problems.first(where: { $0.field == field }) {
                Text(problem.message).font(.caption).foregroundStyle(.red)
            }
        }

        private func ask(_ body: @escaping @Sendable () async throws -> Void) {
            (isAsking, outcome) = (true, nil)
            Task {
                do {
                    try await body()
                    outcome = "Done."
                } catch {
                    outcome = "\(error)"
                }
                isAsking = false
            }
        }
    }

    /// An optional date.
    private struct MomentRow: View {
        let name: String
        @Binding var moment: Date?

        var body: some View {
            Toggle(
                name,
                isOn: Binding {
                    moment != nil
                } set: {
                    moment = $0 ? Date() : nil
                })
            if let known = moment {
                DatePicker(
                    name,
                    selection: Binding {
                        known
                    } set: {
                        moment = $0
                    }
                ).labelsHidden()
            }
        }
    }
#endif
