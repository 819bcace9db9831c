extension TrendScript {
    /// A container: its cards, whether it is live, and its errors.
    static let place = #"""

        const made = id => document.getElementById(id).content.firstElementChild.cloneNode(true)
        const count = new Intl.NumberFormat("en").format
        /// A figure is null in a period in which nothing is known.
        const figure = (number = 0) => number === null ? "–" : count(number)
        /// A browser has few connections to a server with an older protocol: places after the first ones poll instead.
        const STREAMS = 3
        const POLLING = 15
        const UNREACHABLE = "The server cannot be reached. The figures may be out of date; this page keeps trying."

        class Place {
          constructor({path, token}, number) {
            Object.assign(this, {path, token, number, cards: new Map(), isBusy: false, isWanted: false})
            this.element = made("place")
            const [container, environment] = path.split("/").slice(-4)
            this.find("h2").append(...(decodeURIComponent(container).match(/[^.]+[.]?|[.]/g) ?? []).flatMap(part => [part, document.createElement("wbr")]))
            this.find(".environment").textContent = environment
            const key = this.find(".key")
            key.addEventListener("submit", event => {
              event.preventDefault()
              state.places[number].token = this.token = key.elements.token.value.trim()
              key.reset()
              writeAddress()
              this.begin()
            })
            const remove = this.find(".remove")
            remove.hidden = number === 0
            remove.addEventListener("click", () => {
              state.places.splice(number, 1)
              state.open.clear()
              writeAddress()
              location.reload()
            })
          }

          find(selector) { return this.element.querySelector(selector) }

          begin() {
            const isKnown = this.token !== ""
            this.find(".key").hidden = isKnown
            this.fault("")
            if (!isKnown) return this.say("Paste a token. The operator of the server creates one with: nephos trends token create")
            this.say("Loading…")
            this.refresh()
            if (this.number < STREAMS) this.follow()
            else this.poll()
          }

          /// The token is not accepted any more.
          end({status, message}) {
            this.token = ""
            this.say("Not connected")
            this.fault((status === 403 ? `The server refuses this: ${message}. `
              : "The server does not accept this token: it may have been revoked, or be for another container or environment. ")
              + "Ask the operator of the server for another, and paste it here.")
            this.find(".key").hidden = false
          }

          say(text, isLive = false) {
            const said = this.find(".said")
            if (said.textContent !== text) said.textContent = text
            this.find(".state").classList.toggle("is-live", isLive)
          }

          fault(text) {
            const fault = this.find(".fault")
            fault.hidden = text === ""
            if (fault.textContent !== text) fault.textContent = text
          }

          /// Requests everything that is shown; once more if that is wanted meanwhile.
          async refresh() {
            this.isWanted = true
            if (this.isBusy) return
            this.isBusy = true
            const token = this.token
            try {
              while (this.isWanted && this.token === token && token !== "") {
                this.isWanted = false
                await this.load()
                this.fault("")
                if (this.number >= STREAMS) this.say(`Updated every ${POLLING} seconds`, true)
              }
            } catch (error) {
              if (this.token === token) this.failed(error)
            }
            this.isBusy = false
          }

          failed(error) {
            if (!(error instanceof Refused)) return this.fault(UNREACHABLE)
            if (error.isFinal) return this.end(error)
            this.fault(error.status < 500
              ? `The server refuses this: ${error.message}.`
              : "The server has failed. The figures may be out of date; this page keeps trying.")
          }

          /// Stays connected: reconnects when the stream ends, after pauses that grow while there is no response.
          async follow() {
            const token = this.token
            for (let failures = 0; this.token === token && token !== "";) {
              await sight()
              try {
                for await (const event of events(this)) {
                  if (this.token !== token) return
                  failures = 0
                  this.say("Live", true)
                  if (event === "counted") this.refresh()
                }
              } catch (error) {
                if (this.token !== token) return
                if (error instanceof Refused && error.isFinal) return this.end(error)
                if (document.hidden) continue
                if (failures > 0) this.fault(UNREACHABLE)
              }
              failures += 1
              const seconds = Math.min(30, 2 ** (failures - 1)) * (0.75 + Math.random() / 2)
              if (failures > 1) this.say("Reconnecting…")
              await pause(seconds)
            }
          }

          async poll() {
            const token = this.token
            while (this.token === token && token !== "") {
              await pause(POLLING)
              await this.refresh()
            }
          }
        }
        """#
}
