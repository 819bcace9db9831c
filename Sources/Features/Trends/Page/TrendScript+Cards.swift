extension TrendScript {
    /// The small charts of a container's types.
    static let cards = #"""

        Place.prototype.load = async function () {
          const cards = this.find(".cards")
          const probe = cards.appendChild(document.createElement("li"))
          const width = Math.max(40, Math.min(600, probe.clientWidth - 34))
          probe.remove()
          const {groups} = await ask(this, "groups", {})
          const answers = []
          for (const [place, group] of groups.entries()) {
            const words = {...group, form: "sparklines", last: 30, width, id: `c${this.number}-${place}`}
            // Imported figures have their own zone.
            if (state.zone && !group.source) words.zone = state.zone
            answers.push(await ask(this, "series", words))
          }
          const answer = answers[0]
          tellZone(answer.zone)
          const time = new Date(answer.asOf).toLocaleTimeString("en", {timeZone: answer.zone, hour12: false})
          const back = answer.countingBack === undefined ? "" : `; earlier records are being counted back, ${answer.countingBack} % so far`
          const known = answer.deletedKnownSince === undefined ? ""
            : `; records deleted before ${new Date(answer.deletedKnownSince).toLocaleDateString("en-CA", {timeZone: answer.zone})} are not counted`
          this.find(".as-of").textContent = ` · counted up to ${time}${back || known}`
          const shown = new Set()
          groups.forEach((group, place) => {
            for (const series of answers[place].series) shown.add(this.show(group, series))
          })
          this.find(".nothing").hidden = shown.size > 0
          for (const [key, card] of this.cards) {
            if (shown.has(key)) continue
            card.remove()
            this.cards.delete(key)
          }
          for (const card of this.cards.values()) await card.large?.load()
        }

        /// Shows a series on its card. - Returns: Its key in the address: the type's name if it is a type of the public database.
        Place.prototype.show = function (group, series) {
          const isPlain = Object.keys(group).length === 0
          const words = {...group, type: series.type}
          const key = isPlain ? series.type : String(new URLSearchParams(series.of ? {...words, of: series.of} : words))
          let card = this.cards.get(key)
          if (!card) {
            card = new Card(this, key, words, series)
            this.cards.set(key, card)
            this.find(".cards").append(card.element)
            if (state.open.get(this.number) === key) card.toggle()
          }
          card.show(series)
          return key
        }

        const signed = (number = 0) => number > 0 ? `+${count(number)}` : figure(number).replace("-", "−")
        /// null if nothing is known.
        const sum = numbers => numbers.length > 0 && numbers.every(number => number === null) ? null
          : numbers.reduce((sum, number) => sum + number, 0)

        class Card {
          /// `words` request its series, perhaps together with others that count other records.
          constructor(place, key, words, {of, title}) {
            Object.assign(this, {place, key, words, of, large: null, seen: ""})
            this.element = made("card")
            this.button = this.find("h3 button")
            this.name = (title === "" ? "(no name)" : title) + (words.private ? " in private databases" : "")
            this.button.textContent = this.name
            this.button.title = this.name
            this.button.addEventListener("click", () => {
              const isOpen = this.large !== null
              for (const card of place.cards.values()) card.close()
              if (!isOpen) this.toggle()
              writeAddress()
              if (this.large) this.large.reveal()
            })
          }

          find(selector) { return this.element.querySelector(selector) }

          show(series) {
            const seen = JSON.stringify(series)
            if (seen === this.seen) return
            this.seen = seen
            show(series.svg, this.find(".spark"))
            if (series.delta) return this.showList(series)
            this.find(".today b").textContent = figure(series.created.at(-1))
            const [week, before] = [sum(series.created.slice(-7)), sum(series.created.slice(-14, -7))]
            this.find(".week").textContent = figure(week)
            const change = this.find(".change")
            const isCompared = before > 0 && week !== null
            const percent = isCompared ? Math.round((week - before) / before * 100) : 0
            change.className = `change ${percent > 0 ? "up" : percent < 0 ? "down" : ""}`
            change.textContent = !isCompared ? "" : percent === 0 ? "±0 %" : `${percent > 0 ? "▲" : "▼"} ${count(Math.abs(percent))} %`
            this.find(".unseen").textContent = isCompared
              ? `, ${Math.abs(percent)} percent ${percent < 0 ? "less" : "more"} than in the 7 days before`
              : before === 0 ? "none in the 7 days before" : ""
            this.find(".total").textContent = count(series.total.created)
            this.find(".live").textContent = count(series.total.live)
          }

          /// A list grows and shrinks; it has no records that are created and deleted.
          showList({delta, length}) {
            this.find(".today b").textContent = signed(delta.at(-1))
            this.find(".today span").textContent = "today"
            this.find(".week").textContent = signed(sum(delta.slice(-7)))
            this.find(".total").previousElementSibling.textContent = "Elements"
            this.find(".total").textContent = count(length)
            this.find(".live").parentElement.hidden = true
          }

          toggle() {
            this.large = new Large(this)
            this.element.after(this.large.element)
            this.element.classList.add("is-open")
            this.button.setAttribute("aria-expanded", "true")
            state.open.set(this.place.number, this.key)
          }

          close() {
            if (!this.large) return
            this.large.element.remove()
            this.large = null
            this.element.classList.remove("is-open")
            this.button.setAttribute("aria-expanded", "false")
            state.open.delete(this.place.number)
          }

          remove() {
            this.close()
            this.element.remove()
          }
        }
        """#
}
