import CloudKitWire
package import NephosDomain
package import NephosRunner
package import NephosStorage
import NephosYAML

/// The settings of one environment, in a version of its catalog.
package struct ContainerSettings {
    let catalog: Catalog
    /// The sections that a file can contain, which are all but the file itself.
    private let known: [any AnyCatalogSection]

    package init(_ catalog: Catalog) {
        self.catalog = catalog
        known = catalog.knownSections.filter { $0.name != CatalogSection.settingsText.name }
    }

    /// Names of the sections that a file can contain.
    var names: [String] { known.map(\.name).sorted() }

    /// The existing sections, ordered by name.
    private var documents: [(name: String, document: Bytes)] {
        names.compactMap { name in catalog.sections[name].map { (name, $0.document) } }
    }

    /// The file: as imported, if its contents still match the sections.
    package func text() throws(Failure) -> String {
        let documents = documents
        if let row = catalog.sections[CatalogSection.settingsText.name] {
            let text = String(decoding: row.document, as: UTF8.self)
            if let sections = try? SettingsText(text).sections.sorted(by: { $0.name < $1.name }),
                sections.elementsEqual(documents, by: { $0.name == $1.name && $0.document == $1.document })
            {
                return text
            }
        }
        do { return try SettingsText.print(documents) } catch {
            throw Failure("The settings cannot be printed: \(error)")
        }
    }

    /// The change that sets the contents of a file, and the new document of each section. Throws if anything in the file is not
    /// valid.
    ///
    /// - Parameter environment: Production gets its sections by `schema deploy`, except those that are separate in each
    ///   environment.
    package func change(
        to text: String, in environment: Environment, by author: String, now: Milliseconds
    ) throws(Failure) -> (change: ChangeSections, documents: [String: Bytes?]) {
        var documents: [String: Bytes?]
        do throws(YAMLFailure) { documents = try self.documents(in: text, of: environment) } catch {
            throw Failure("\(error)")
        }
        documents[CatalogSection.settingsText.name] = Array(text.utf8)[...]
        do throws(Refusal) {
            return (try ChangeSections(documents, of: catalog.knownSections, by: author, now: now), documents)
        } catch {
            throw Failure("\(error)")
        }
    }

    /// The new document of each section; nil for those that are removed.
    private func documents(in text: String, of environment: Environment) throws(YAMLFailure) -> [String: Bytes?] {
        let settings = try SettingsText(text)
        var documents: [String: Bytes?] = [:]
        for (name, document) in settings.sections {
            guard let section = known.first(where: { $0.name == name }) else {
                throw YAMLFailure(
                    "there is no section \(name); a settings file can contain version, \(names.joined(separator: ", "))",
                    at: settings.place(of: name))
            }
            do throws(SectionFailure) { _ = try section.anyValue(of: document) } catch {
                let path = name + (error.path.isEmpty || error.path.hasPrefix("[") ? "" : ".") + error.path
                throw YAMLFailure("\(path): \(error.reason)", at: settings.place(of: path))
            }
            if name == CatalogSection.audiences.name, document != catalog.sections[name]?.document {
                try Self.checkAudiences(document, settings)
            }
            documents[name] = document
        }
        for name in names where documents[name] == nil { documents[name] = .some(nil) }
        if environment == .production { try keepDeployed(&documents, settings) }
        return documents
    }

    /// Refuses new audiences to which nobody can belong as it was meant.
    private static func checkAudiences(_ document: Bytes, _ settings: SettingsText) throws(YAMLFailure) {
        do throws(WireError) {
            var json = try JSONReader(document)
            // Whether the audiences that they name exist was checked.
            try json.readObject { json, _ throws(WireError) in
                _ = try TypedCondition(try json.skipValue(), salt: "", nil)
            }
        } catch {
            let path = "\(CatalogSection.audiences.name).\(error.path)"
            throw YAMLFailure("\(path): \(error.message)", at: settings.place(of: path))
        }
    }

    /// Leaves out deployed sections, which stay, and refuses changes to them.
    private func keepDeployed(
        _ documents: inout [String: Bytes?], _ settings: SettingsText
    ) throws(YAMLFailure) {
        for section in known where section.isDeployed {
            let document = documents.removeValue(forKey: section.name) ?? nil
            guard document == nil || document == catalog.sections[section.name]?.document else {
                throw YAMLFailure(
                    "in production \(section.name) is set only by nephos schema deploy",
                    at: settings.place(of: section.name))
            }
        }
    }
}
