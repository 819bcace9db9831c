extension TrendScript {
    /// How the script calls the server and reads its events. `EventSource` sends no headers, so it would need the token in the
    /// address.
    static let asking = #"""

        class Refused extends Error {
          constructor(status, reason) { super(reason); this.status = status }
          /// A retry would not help.
          get isFinal() { return this.status === 401 || this.status === 403 }
        }

        /// Resolves when the page is visible.
        const sight = () => new Promise(done => {
          if (!document.hidden) return done()
          const look = () => {
            if (document.hidden) return
            document.removeEventListener("visibilitychange", look)
            done()
          }
          document.addEventListener("visibilitychange", look)
        })

        const pause = seconds => new Promise(done => setTimeout(done, seconds * 1000))

        /// A space is %20: the server reads + as itself, because tokens contain it.
        const queryOf = words => String(new URLSearchParams(words)).replace(/\+/g, "%20")

        async function open(place, name, words, options = {}) {
          const response = await fetch(`${place.path}${name}?${queryOf(words)}`, {
            headers: {Authorization: `Bearer ${place.token}`}, cache: "no-store", credentials: "omit", ...options,
          })
          if (response.ok) return response
          const answer = await response.json().catch(() => ({}))
          throw new Refused(response.status, typeof answer.reason === "string" ? answer.reason : "")
        }

        /// Reads JSON from the server. No response for 30 seconds is a failure: other requests wait for this one.
        async function ask(place, name, words) {
          const controller = new AbortController()
          const late = setTimeout(() => controller.abort(), 30000)
          try {
            return await (await open(place, name, words, {signal: controller.signal})).json()
          } finally {
            clearTimeout(late)
          }
        }

        /// The names of server-sent events, as they arrive. Ends with the stream, and fails if nothing arrives for a minute or the page is hidden:
        /// a browser has few connections for all its pages together.
        async function* events(place) {
          const controller = new AbortController()
          let silence
          const hear = () => {
            clearTimeout(silence)
            silence = setTimeout(() => controller.abort(), 60000)
          }
          const hide = () => { if (document.hidden) controller.abort() }
          document.addEventListener("visibilitychange", hide)
          try {
            const response = await open(place, "stream", {}, {signal: controller.signal})
            hear()
            yield "open"
            const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
            for (let text = ""; ;) {
              const {value, done} = await reader.read()
              if (done) return
              hear()
              text += value
              const parts = text.split("\n\n")
              text = parts.pop()
              for (const part of parts) {
                const name = part.split("\n").find(line => line.startsWith("event: "))
                if (name) yield name.slice(7)
              }
            }
          } finally {
            document.removeEventListener("visibilitychange", hide)
            clearTimeout(silence)
            controller.abort()
          }
        }
        """#
}
