// Shows an app's current message on a web page (docs/messages.md), together with message.css. It needs no library, and shows all texts as plain
// text. It stores in the browser what a person has seen, and reports it to the server; failed reports are sent again later.
//
//   const messages = new NephosMessages({
//     server: "https://cloud.example.org", container: "iCloud.com.example.app", environment: "production", token: API_TOKEN,
//     locale: "es-MX", version: "2.4", state: ["subscribed"],
//     actions: { open: ({ url }) => …, update: () => …, mail: ({ to, subject }) => …, purchase: ({ product }) => … },
//   });
//   await messages.show();     // true if there was one to show
//
// A message is not shown if its action is not in `actions`, if its schema is newer, or if its kind is unknown.
"use strict";

class NephosMessages {
  // The name of each kind's action, and its required parameter.
  static #kinds = {
    information: null, website: ["open", "url"], newVersion: ["update"], email: ["mail", "to"], purchase: ["purchase", "product"],
  };
  static #schema = 0;
  static #seenMax = 1_000;
  static #reportsMax = 200;

  #options;
  #kept;

  constructor(options) {
    this.#options = { environment: "production", actions: {}, ...options };
    this.#kept = this.#read();
  }

  // Requests the message for the reader of this page, and shows it. Throws if the request fails.
  async show() {
    await this.#deliver();
    const passed = new Set();
    for (;;) {
      const message = await this.#current();
      if (!message || passed.has(message.id)) return false;
      if (!this.#kept.seen.includes(NephosMessages.#seenKey(message))) {
        if (!this.#canShow(message)) return false;
        this.#present(message);
        return true;
      }
      // It was seen here, but the server does not know it yet: report it, and request the next one.
      passed.add(message.id);
      this.#note(NephosMessages.#report(message, "shown"));
      if (!await this.#deliver()) return false;
    }
  }

  // If an editor publishes a message again for people who have seen it, it has another round.
  static #seenKey({ id, round }) { return round ? `${id} ${round}` : id; }

  static #report({ id, round }, event) { return round ? { id, round, event } : { id, event }; }

  // MARK: What a page can show

  #canShow({ schema, kind, buttons }) {
    if (schema > NephosMessages.#schema || !Object.hasOwn(NephosMessages.#kinds, kind) || !buttons?.length) return false;
    const [name, parameter] = NephosMessages.#kinds[kind] ?? [];
    return buttons.every((button) => {
      if (!["action", "cancel", "okay"].includes(button.role)) return false;
      if (button.role !== "action") return true;
      if (button.action !== name || typeof this.#options.actions[name] !== "function") return false;
      if (parameter && typeof button[parameter] !== "string") return false;
      // Only web addresses, never one that a browser would execute.
      return name !== "open" || /^https?:\/\//i.test(button.url);
    });
  }

  #present(message) {
    const make = (tag, properties = {}, ...children) => {
      const element = Object.assign(document.createElement(tag), properties);
      element.append(...children.filter((child) => child != null));
      return element;
    };
    const title = make("h2", { id: "message-title", textContent: message.title, tabIndex: -1 });
    const body = make("p", { id: "message-body", textContent: message.body });
    const list = message.list?.length ? make("ul", {}, ...message.list.map((text) => make("li", { textContent: text }))) : null;
    const buttons = make("div", { className: "buttons" });
    const dialog = make("dialog", { className: "message", lang: message.language ?? "" },
      this.#picture(message.image, make), title, body, list, buttons);
    dialog.setAttribute("aria-labelledby", title.id);
    dialog.setAttribute("aria-describedby", body.id);
    for (const button of message.buttons) {
      const element = make("button", { type: "button", textContent: button.title });
      element.dataset.role = button.role;
      element.addEventListener("click", () => this.#press(dialog, message, button));
      buttons.append(element);
    }
    // Escape, and everything that a browser treats like it.
    dialog.addEventListener("cancel", () => {
      this.#tell(NephosMessages.#report(message, "dismissed"));
    });
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
    // Screen readers read the title first, and a key press that was meant for something else does not press a button.
    title.focus();
    this.#tell(NephosMessages.#report(message, "shown"));
  }

  #picture(image, make) {
    if (!image) return null;
    const isDecorative = image.decorative || !image.label;
    if (image.url) return make("img", { className: "picture", src: image.url, alt: isDecorative ? "" : image.label });
    const element = make("div", { className: "picture emoji", textContent: image.emoji ?? "" });
    if (isDecorative) element.setAttribute("aria-hidden", "true");
    else {
      element.setAttribute("role", "img");
      element.setAttribute("aria-label", image.label);
    }
    return element;
  }

  #press(dialog, message, button) {
    dialog.close();
    this.#tell({ ...NephosMessages.#report(message, button.role === "action" ? "acted" : "dismissed"), button: button.role });
    if (button.role === "action") this.#options.actions[button.action](button);
  }

  // MARK: The server

  async #current() {
    const { locale, version, state = [], slot } = this.#options;
    const query = new URLSearchParams({ platform: "Web", device: this.#kept.device });
    // Which day it is for the reader.
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    for (const [name, value] of Object.entries({ locale: locale ?? navigator.language, version, slot, timeZone, state: state.join(",") })) {
      if (value) query.set(name, value);
    }
    const answer = await this.#ask(`current?${query}`);
    const said = await answer.json();
    if (!answer.ok) throw new Error(said.reason ?? `the server answered ${answer.status}`);
    return said.message;
  }

  #ask(what, body) {
    const { server, container, environment, token, webAuthToken } = this.#options;
    const url = new URL(`${server}/nephos/1/${container}/${environment}/messages/${what}`);
    url.searchParams.set("ckAPIToken", token);
    if (webAuthToken) url.searchParams.set("ckWebAuthToken", webAuthToken);
    // With keepalive the report is sent even if the person leaves the page.
    return fetch(url, body ? { method: "POST", body: JSON.stringify(body), keepalive: true } : {});
  }

  #tell(report) {
    this.#note(report);
    return this.#deliver();
  }

  // Sends pending reports in order. Returns whether all of them arrived.
  async #deliver() {
    for (const report of [...this.#kept.reports]) {
      try {
        const answer = await this.#ask("seen", { ...report, device: this.#kept.device });
        // A report that is refused permanently is not sent again.
        if (!answer.ok && ![400, 404, 413].includes(answer.status)) return false;
      } catch {
        return false;
      }
      this.#kept.reports = this.#kept.reports.filter((other) => JSON.stringify(other) !== JSON.stringify(report));
      this.#write();
    }
    return true;
  }

  // MARK: Storage in the browser

  #note(report) {
    const { seen, reports } = this.#kept;
    if (!seen.includes(NephosMessages.#seenKey(report))) seen.push(NephosMessages.#seenKey(report));
    reports.push(report);
    seen.splice(0, seen.length - NephosMessages.#seenMax);
    reports.splice(0, reports.length - NephosMessages.#reportsMax);
    this.#write();
  }

  get #place() { return `nephos messages ${this.#options.container} ${this.#options.environment}`; }

  #read() {
    const device = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
    try {
      const kept = JSON.parse(localStorage.getItem(this.#place));
      if (kept && typeof kept.device === "string" && Array.isArray(kept.seen) && Array.isArray(kept.reports)) return kept;
    } catch { /* The browser stores nothing, or the stored value is not valid. */ }
    return { device, seen: [], reports: [] };
  }

  #write() {
    try {
      localStorage.setItem(this.#place, JSON.stringify(this.#kept));
    } catch { /* Then it is kept in memory until the page is closed. */ }
  }
}
