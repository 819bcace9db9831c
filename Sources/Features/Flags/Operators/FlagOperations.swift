import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

/// The flags of one environment, for operator commands.
struct FlagOperations: Sendable {
    let administration: Administration
    let tenant: Tenant
    let store: any TenantStore
    /// As of the creation of this value.
    let catalog: Catalog
    /// The type of flag records.
    let type: Name
    /// The command that lists all flags.
    private let listing: String

    /// - Throws: If the container has no flags.
    init(_ call: any UseCaseCall, _ tenant: Tenant) throws {
        guard let found = try Self(ifAny: call, tenant) else { throw Failure(try Self.lacking(call, tenant)) }
        self = found
    }

    /// nil if the container has no flags.
    init?(ifAny call: any UseCaseCall, _ tenant: Tenant) throws {
        administration = try call.administration
        self.tenant = tenant
        store = try administration.store(tenant)
        catalog = try administration.read(store).catalog
        guard let type = try catalog.typeOfFlags() else { return nil }
        self.type = type
        listing = call.command("flag list \(tenant.asTyped)")
    }

    /// That a container has no flags, and the next step.
    static func lacking(_ call: any UseCaseCall, _ tenant: Tenant) throws -> String {
        try call.lacking(
            "flags", of: FlagSetup.standardType, in: tenant,
            creating: "flag create \(tenant.container) ID --default false")
    }

    /// That there are no flags yet, and the next step: production gets those that development has.
    func none(_ call: any UseCaseCall) throws -> String {
        let development = Tenant(container: tenant.container, environment: .development)
        if tenant.environment == .production, try !(Self(ifAny: call, development)?.all() ?? []).isEmpty {
            let copy = call.command("flag copy \(tenant.container) --from development --to production")
            return "There are no flags. Copy those of development with: \(copy)"
        }
        return "There are no flags. Create the first with: "
            + call.command("flag create \(tenant.asTyped) ID --default false")
    }

    /// All flags, ordered by ID.
    func all() throws(AdminError) -> [StoredFlag] {
        guard let number = catalog.types[type]?.row.number else { return [] }
        return try administration.stored { () throws(StorageError) in try store.flags(of: number) }
    }

    /// nil if there is no such flag.
    func find(_ id: String) throws(AdminError) -> StoredFlag? {
        var set = ReadSet()
        set.records = [RecordKey(zone: .name(Flags.database, defaultZoneName), name: Name(id))]
        let reading = try administration.read(store, set)
        guard case .record(let record)? = reading.records.first, let known = reading.catalog.type(record.type) else {
            return nil
        }
        guard known.row.name == type else {
            throw .refused("Record \(id) has the type \(known.row.name), so it is not a flag: choose another id.")
        }
        return StoredFlag(record)
    }

    /// A warning that old versions of an app do not see a flag, if the settings have a mirror without its field.
    func missingMirrorField(of id: String) -> String? {
        guard let mirror = (try? catalog.value(of: .flags))?.mirror,
            catalog.types[mirror.type]?.fields[Name(id)]?.kind != .int64
        else { return nil }
        return
            "Type \(mirror.type) has no INT64 field \(id): apps that read its record \(mirror.record) do not see the flag."
    }

    func flag(_ id: String) throws -> StoredFlag {
        guard let flag = try find(id) else { throw unknown(id) }
        return flag
    }

    func unknown(_ id: String) -> Failure {
        Failure("There is no flag \(id) in \(tenant). See all with: \(listing)")
    }
}

extension Catalog {
    /// ``flagType()``, with an error for operators.
    func typeOfFlags() throws(Failure) -> Name? {
        do throws(SectionFailure) { return try flagType() } catch {
            throw Failure("The settings of the container cannot be read by this program: \(error)")
        }
    }
}
