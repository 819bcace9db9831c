extension TrendScript {
    /// The small pictures of a container's types.
    static let cards = #"""

        Place.prototype.load = async function () {
          const cards = this.find(".cards")
          const probe = cards.appendChild(document.createElement("li"))
          const width = Math.max(40, Math.min(600, probe.clientWidth - 34))
          probe.remove()
          const words = {form: "sparklines", last: 30, width, id: `c${this.number}`}
          if (state.zone) words.zone = state.zone
          const answer = await ask(this, "series", words)
          tellZone(answer.zone)
          const time = new Date(answer.asOf).toLocaleTimeString("en", {timeZone: answer.zone, hour12: false})
          const back = answer.countingBack === undefined ? "" : `; what was there before is being counted back, ${answer.countingBack} % so far`
          const known = answer.deletedKnownSince === undefined ? ""
            : `; what was deleted before ${new Date(answer.deletedKnownSince).toLocaleDateString("en-CA", {timeZone: answer.zone})} is not counted`
          this.find(".as-of").textContent = ` · counted up to ${time}${back || known}`
          this.find(".nothing").hidden = answer.series.length > 0
          for (const series of answer.series) this.card(series.type).show(series)
          for (const [type, card] of this.cards) {
            if (answer.series.some(series => series.type === type)) continue
            card.remove()
            this.cards.delete(type)
          }
          for (const card of this.cards.values()) await card.large?.load()
        }

        Place.prototype.card = function (type) {
          let card = this.cards.get(type)
          if (card) return card
          card = new Card(this, type)
          this.cards.set(type, card)
          this.find(".cards").append(card.element)
          if (state.open.get(this.number) === type) card.toggle()
          return card
        }

        const sum = numbers => numbers.reduce((sum, number) => sum + number, 0)

        class Card {
          constructor(place, type) {
            Object.assign(this, {place, type, large: null, seen: ""})
            this.element = made("card")
            this.button = this.find("h3 button")
            this.button.textContent = type === "" ? "(no name)" : type
            this.button.title = type
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
            this.find(".today b").textContent = count(series.created.at(-1) ?? 0)
            const [week, before] = [sum(series.created.slice(-7)), sum(series.created.slice(-14, -7))]
            this.find(".week").textContent = count(week)
            const change = this.find(".change")
            const percent = before === 0 ? 0 : Math.round((week - before) / before * 100)
            change.className = `change ${percent > 0 ? "up" : percent < 0 ? "down" : ""}`
            change.textContent = before === 0 ? "" : percent === 0 ? "±0 %" : `${percent > 0 ? "▲" : "▼"} ${count(Math.abs(percent))} %`
            this.find(".unseen").textContent = before === 0 ? "none in the 7 days before"
              : `, ${Math.abs(percent)} percent ${percent < 0 ? "less" : "more"} than in the 7 days before`
            this.find(".total").textContent = count(series.total.created)
            this.find(".live").textContent = count(series.total.live)
            show(series.svg, this.find(".spark"))
          }

          toggle() {
            this.large = new Large(this)
            this.element.after(this.large.element)
            this.element.classList.add("is-open")
            this.button.setAttribute("aria-expanded", "true")
            state.open.set(this.place.number, this.type)
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
