extension TrendScript {
    /// What runs once the page is loaded.
    static let beginning = #"""

        const all = []
        const everywhere = () => all.forEach(place => { if (place.token) place.refresh() })
        const zones = document.getElementById("zone")

        /// Fills the menu of zones. The first choice is the zone in the settings of a container, once it is known.
        function tellZone(zone) {
          const own = Intl.DateTimeFormat().resolvedOptions().timeZone
          const choices = new Map([["", state.zone ? "the settings" : zone.replaceAll("_", " ")]])
          for (const other of [own, "UTC", state.zone]) {
            if (other && (state.zone || other !== zone)) choices.set(other, other.replaceAll("_", " ") + (other === own ? " (here)" : ""))
          }
          const texts = JSON.stringify([...choices])
          if (zones.dataset.choices === texts) return
          zones.dataset.choices = texts
          zones.replaceChildren(...[...choices].map(([value, text]) => new Option(text, value, false, value === state.zone)))
          zones.closest("label").hidden = false
        }

        zones.addEventListener("change", () => {
          state.zone = zones.value
          writeAddress()
          everywhere()
        })

        document.querySelector("#adding form").addEventListener("submit", event => {
          event.preventDefault()
          const {container, environment, token} = event.target.elements
          const path = `${BASE}/nephos/1/${encodeURIComponent(container.value.trim())}/${environment.value}/trends/`
          const isNew = addPlace(path, token.value)
          container.setCustomValidity(isNew ? "" : "This container is already shown.")
          if (!isNew) return container.reportValidity()
          event.target.reset()
          writeAddress()
          begin(state.places.at(-1), state.places.length - 1)
        })
        document.querySelector("#adding [name=container]").addEventListener("input", event => event.target.setCustomValidity(""))

        function begin(description, number) {
          const place = new Place(description, number)
          all.push(place)
          document.getElementById("places").append(place.element)
          place.begin()
        }

        readAddress()
        // Otherwise a zone that does not exist could not be changed.
        if (state.zone) tellZone(state.zone)
        document.title = `Trends of ${state.places.map(({path}) => decodeURIComponent(path.split("/").at(-4))).join(", ")}`
        state.places.forEach(begin)
        document.getElementById("adding").hidden = state.places.length === 0
        addEventListener("hashchange", () => location.reload())
        document.addEventListener("visibilitychange", () => { if (!document.hidden) everywhere() })
        // A page that stays open shows a new day, too.
        setInterval(everywhere, 300000)
        let [width, resized] = [innerWidth, 0]
        addEventListener("resize", () => {
          if (innerWidth === width) return
          width = innerWidth
          clearTimeout(resized)
          resized = setTimeout(everywhere, 150)
        })
        """#
}
