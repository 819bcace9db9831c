extension TrendScript {
    /// The large chart of one type, with its table.
    static let large = #"""

        /// How many periods are shown at a time.
        const SPANS = {day: 31, week: 26, month: 24, year: 20}
        const DAY = 86400000
        const dayOf = text => Date.parse(`${text}T00:00:00Z`)
        const textOf = day => new Date(day).toISOString().slice(0, 10)

        /// The last day of a number of periods, of which the first begins on `start`.
        function endOf(start, by, periods) {
          const date = new Date(dayOf(start))
          if (by === "day") date.setUTCDate(date.getUTCDate() + periods)
          if (by === "week") date.setUTCDate(date.getUTCDate() + 7 * periods)
          if (by === "month") date.setUTCMonth(date.getUTCMonth() + periods)
          if (by === "year") date.setUTCFullYear(date.getUTCFullYear() + periods)
          return textOf(date - DAY)
        }

        class Large {
          constructor(card) {
            Object.assign(this, {card, by: state.by, view: state.view, until: "", isAll: false, seen: "", starts: []})
            this.element = made("large")
            this.choices(".by", "by", PERIODS)
            this.choices(".view", "view", VIEWS)
            const on = (selector, act) => this.find(selector).addEventListener("click", act)
            const leave = () => { card.close(); writeAddress(); card.button.focus() }
            on(".close", leave)
            this.element.addEventListener("keydown", event => { if (event.key === "Escape") leave() })
            on(".earlier", () => this.move(textOf(dayOf(this.starts[0]) - DAY)))
            on(".later", () => this.move(endOf(this.starts.at(-1), this.by, SPANS[this.by] + 1)))
            on(".all", () => this.move("", true))
            on(".now", () => this.move(""))
            on(".csv", () => this.save())
          }

          find(selector) { return this.element.querySelector(selector) }

          choices(selector, name, words) {
            const place = this.find(selector)
            for (const [value, text] of Object.entries(words)) {
              const [label, input, span] = ["label", "input", "span"].map(name => document.createElement(name))
              Object.assign(input, {type: "radio", name: `${name}-${this.card.place.number}`, value, checked: this[name] === value})
              span.textContent = text
              input.addEventListener("change", () => {
                this[name] = state[name] = value
                writeAddress()
                if (name === "by") this.until = ""
                this.card.place.refresh()
              })
              label.append(input, span)
              place.append(label)
            }
          }

          move(until, isAll = false) {
            Object.assign(this, {until, isAll})
            this.card.place.refresh()
          }

          /// Moves the focus to it after it was opened.
          async reveal() {
            await this.card.place.refresh()
            this.find("h3").focus({preventScroll: true})
            this.element.scrollIntoView({block: "nearest"})
          }

          async load() {
            const place = this.card.place
            const width = Math.max(200, Math.round(this.find("figure").clientWidth))
            const answer = await ask(place, "series", {...this.words, form: "charts", view: this.view, width, id: `c${place.number}-large`})
            const {asOf, ...rest} = answer
            const seen = JSON.stringify(rest)
            if (seen !== this.seen) this.show(answer)
            this.seen = seen
          }

          /// Which figures are shown.
          get words() {
            const words = {...this.card.words, by: this.by}
            if (state.zone && !words.source) words.zone = state.zone
            if (!this.isAll) words.last = SPANS[this.by]
            if (this.until) words.until = this.until
            return words
          }

          /// Saves the shown figures as a file. A link to it could not send the token.
          async save() {
            const place = this.card.place
            try {
              const file = await (await open(place, "series", {...this.words, form: "csv"})).blob()
              const link = Object.assign(document.createElement("a"), {
                href: URL.createObjectURL(file), download: `${this.card.name.replace(/[^\p{L}\p{N}._-]+/gu, "-")}-by-${this.by}.csv`,
              })
              link.click()
              setTimeout(() => URL.revokeObjectURL(link.href), 60000)
            } catch (error) {
              place.failed(error)
            }
          }

          show({starts, by, partial, zone, series: all}) {
            const series = all.find(series => series.of === this.card.of) ?? all[0]
            this.starts = starts
            show(series.svg, this.find("figure"))
            this.find("h3").textContent = series.heading + (this.card.words.private ? ", in private databases" : "")
            const first = series.first ?? starts[0]
            this.find(".earlier").disabled = this.isAll || starts[0] <= first
            this.find(".later").disabled = this.isAll || partial === true
            this.find(".all").disabled = this.isAll
            this.find(".now").hidden = !this.isAll && partial === true
            const columns = series.delta ? [["Longer by", series.delta], ["Elements", series.total]]
              : [["New", series.created], ["Deleted", series.deleted], ["Restored", series.restored], ["Live", series.live]]
            const hasRestored = series.restored?.some(number => number > 0) ?? true
            this.find("table").classList.toggle("is-short", !hasRestored)
            const what = series.delta
              ? `${signed(sum(series.delta))} elements`
              : `${figure(sum(series.created))} created, ${figure(sum(series.deleted))} deleted${
                hasRestored ? `, ${figure(sum(series.restored))} restored` : ""}`
            this.find(".range").textContent = `${what} from ${starts[0]} to ${partial ? "now" : endOf(starts.at(-1), by, 1)}; `
              + `${figure(columns.at(-1)[1].findLast(number => number !== null) ?? null)} ${series.delta ? "" : "live "}at the end, in days of ${zone}.${
                series.first ? ` The first day is ${series.first}.` : ""}`
            this.find("thead tr").replaceChildren(...["From", ...columns.map(([name]) => name)].map(name =>
              Object.assign(document.createElement("th"), {scope: "col", textContent: name})))
            this.find("tbody").replaceChildren(...starts.map((start, place) => {
              const row = document.createElement("tr")
              const head = row.appendChild(document.createElement("th"))
              head.scope = "row"
              head.textContent = start
              if (partial && place === starts.length - 1) head.append(" ", Object.assign(document.createElement("span"), {textContent: "so far"}))
              for (const [, numbers] of columns) {
                row.appendChild(document.createElement("td")).textContent = figure(numbers[place])
              }
              return row
            }).reverse())
          }
        }
        """#
}
