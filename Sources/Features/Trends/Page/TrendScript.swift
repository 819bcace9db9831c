/// The script of ``TrendPage``, in the order of its parts. It is one module, runs under a policy that contains its hash, and adds
/// nothing to the page but text and what ``pictures`` permits.
enum TrendScript {
    static let all = [address, asking, pictures, place, cards, large, beginning].joined(separator: "\n")

    /// What the address contains: the token, other containers with theirs, and what is shown. All of it is after `#`, which
    /// browsers do not send.
    private static let address = #"""

        const pathOf = text => text.replace(/\/+/g, "/").replace(/\/?$/, "/")
        /// What all paths of this server begin with, before `/nephos`: empty for a server with a host of its own.
        const BASE = pathOf(location.pathname).split("/").slice(0, -6).join("/")
        const isPlace = path => isWhole(path) && path.startsWith(`${BASE}/`)
          && /^\/nephos\/1\/[^/]+\/(development|production)\/trends\/$/.test(path.slice(BASE.length))
        function isWhole(path) {
          try { decodeURIComponent(path) } catch { return false }
          return true
        }
        const PERIODS = {day: "Days", week: "Weeks", month: "Months", year: "Years"}
        const VIEWS = {created: "New", net: "Net", live: "Live"}

        const state = {places: [], zone: "", by: "day", view: "created", open: new Map()}

        function readAddress() {
          const words = new URLSearchParams(location.hash.slice(1))
          addPlace(location.pathname, words.get("token") ?? "")
          for (const other of words.getAll("also")) {
            const comma = other.lastIndexOf(",")
            if (comma > 0) addPlace(other.slice(0, comma), other.slice(comma + 1))
          }
          state.zone = words.get("zone") ?? ""
          if (words.get("by") in PERIODS) state.by = words.get("by")
          if (words.get("view") in VIEWS) state.view = words.get("view")
          for (const open of words.getAll("open")) {
            const comma = open.indexOf(",")
            state.open.set(Number(open.slice(0, comma)), open.slice(comma + 1))
          }
        }

        function addPlace(path, token) {
          path = pathOf(path)
          if (!isPlace(path) || state.places.some(place => place.path === path)) return false
          state.places.push({path, token: token.trim()})
          return true
        }

        /// Stores what is shown in the address, so that a bookmark shows it again.
        function writeAddress() {
          const words = []
          const add = (name, value) => words.push(`${name}=${encodeURIComponent(value).replace(/%2F/g, "/").replace(/%2C/g, ",")}`)
          state.places.forEach(({path, token}, number) => {
            if (number === 0) { if (token) add("token", token) } else add("also", `${path},${token}`)
          })
          if (state.zone) add("zone", state.zone)
          if (state.by !== "day") add("by", state.by)
          if (state.view !== "created") add("view", state.view)
          for (const [number, type] of state.open) add("open", `${number},${type}`)
          history.replaceState(null, "", words.length ? `#${words.join("&")}` : location.pathname)
        }
        """#
}
