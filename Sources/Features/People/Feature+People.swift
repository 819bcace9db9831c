import CloudKitWire
import NephosDomain
package import NephosRunner
import NephosStorage

/// People sign up and sign in by themselves, and manage their accounts (docs/people.md).
extension Feature {
    package static let people = people(cost: .current)

    /// - Parameter cost: The cost of hashing passwords typed on pages.
    static func people(cost: PasswordHash.Cost) -> Feature {
        var feature = Feature(
            People.name,
            tables: [
                SignInMethodRow.self, TokenTermsRow.self, ConsentRow.self, SiteKeyRow.self, BrowserSessionRow.self,
                MailLinkRow.self, PlaceRow.self, AttemptRow.self, SpentRow.self, RelyingPartyRow.self,
                AccessRow.self, LogoRow.self, DeviceCodeRow.self, ExternalPersonRow.self,
                KeyTermsRow.self,
            ],
            rules: RuleBook(sections: [CatalogSection.people]),
            useCases: [.accounts, .tokens, .keys, .accesses, .externalPeople, .look, .shares])
        feature.prepare = { settings in
            let party = try RelyingParty.of(settings)
            return { host in
                let services = SignInServices(host, cost: cost, party: party)
                var service = FeatureService(
                    endpoints: [SignOut.endpoint, ExternalSignIn.endpoint] + SignInByCode(services: services).endpoints,
                    jobs: [ForgetVisits(host).job, ForgetSpent.job(host.worker)])
                service.pages = services.pages
                service.signInURL = { [runner = host.runner] call in SignInRequest.url(for: call, runner, party) }
                return service
            }
        }
        feature.beforeServing = { settings, engine in
            try RelyingParty.check(try RelyingParty.of(settings), by: engine.directory)
        }
        feature.demoWasCreated = { administration, tenant, token throws(AdminError) in
            let id = Hexadecimal.text(APIToken.hash(token))
            try await administration.setTerms(of: id, in: tenant, onlyAtFirst: true) { terms in
                terms.origins = AllowedOrigins.loopback
            }
        }
        return feature
    }
}
