import NephosRunner

/// The script of pages that create or use passkeys. It is the same for all of them, and calls nothing but the browser.
///
/// A form with `data-passkey`, which has the options as JSON (``Passkeys/optionsOfUse(on:_:)``), is hidden until the script shows
/// it. When the form is submitted, the browser asks its person, and the result is put into the form's hidden fields. If the
/// person declines, or the browser has no passkey, the form's alert is shown and nothing is sent.
enum PasskeyScript {
    static let text = """
        const bytes = text => Uint8Array.from(
          atob(text.replaceAll("-", "+").replaceAll("_", "/")), letter => letter.charCodeAt(0))
        const text = buffer => btoa(String.fromCharCode(...new Uint8Array(buffer ?? [])))
          .replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")
        const forms = window.PublicKeyCredential ? document.querySelectorAll("form[data-passkey]") : []
        for (const form of forms) {
          const publicKey = JSON.parse(form.dataset.passkey)
          publicKey.challenge = bytes(publicKey.challenge)
          if (publicKey.user) publicKey.user.id = bytes(publicKey.user.id)
          for (const known of publicKey.excludeCredentials ?? []) known.id = bytes(known.id)
          const alert = form.querySelector("[role=alert]")
          form.hidden = false
          form.addEventListener("submit", async event => {
            event.preventDefault()
            alert.hidden = true
            try {
              const passkey = await navigator.credentials[publicKey.user ? "create" : "get"]({ publicKey })
              const { clientDataJSON, attestationObject, authenticatorData, signature, userHandle } = passkey.response
              const sent = {
                credential: passkey.rawId, client: clientDataJSON, object: attestationObject,
                authenticator: authenticatorData, signature, user: userHandle,
              }
              for (const name in sent) if (form.elements[name]) form.elements[name].value = text(sent[name])
              const keep = document.getElementById("keep")
              if (keep && form.elements.keep) form.elements.keep.value = keep.checked ? "yes" : ""
              form.submit()
            } catch {
              alert.hidden = false
            }
          })
        }

        """

    /// The form: options, other hidden fields, the fields that the server reads, and the visible part.
    ///
    /// - Parameters:
    ///   - options: JSON.
    ///   - hidden: Names and values.
    ///   - fields: Those of `credential`, `client`, `object`, `authenticator`, `signature`, `user` and `keep` that are sent.
    ///   - inner: HTML before the button, such as a field for a name.
    ///   - alert: Shown if the browser returned no passkey.
    static func form(
        _ options: String, hidden: [(String, String)], fields: [String], inner: String = "", button: String,
        alert: String
    ) -> String {
        let inputs = (hidden + fields.map { ($0, "") }).map { name, value in
            "<input type=\"hidden\" name=\"\(name)\" value=\"\(value.escaped)\">"
        }
        return """
            <form method="post" hidden data-passkey="\(options.escaped)">
            \(inputs.joined(separator: "\n"))
            \(inner)<p role="alert" class="ill" hidden>\(alert.escaped)</p>
            <p class="buttons"><button>\(button.escaped)</button></p>
            </form>
            """
    }
}
