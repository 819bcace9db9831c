import Charts
import NephosRunner

/// The page that shows trends to people: `/nephos/1/CONTAINER/ENVIRONMENT/trends/#token=TOKEN`. It contains no figures, so
/// anybody may load it; its script requests them with the token, which is in the fragment and so is never sent as part of the
/// address.
enum TrendPage {
    static let endpoint = Endpoint(forAnyone: "trends", at: .container) { _ in answer }

    /// The same for all containers: the script reads the container from the address.
    private static let answer = HTMLPage(
        title: "Trends", body: markup, style: Chart.style + style, script: TrendScript.all
    ).answer(endpoint: "trends")

    private static let markup = #"""
        <link rel="icon" href="data:,">
        <header class="top">
        <h1>Trends</h1>
        <label class="zone" hidden>Days of <select id="zone"></select></label>
        </header>
        <noscript><p class="fault">This page needs JavaScript, which this browser does not run. <code>nephos trends show</code> prints the same
        figures.</p></noscript>
        <main id="places"></main>
        <details id="adding" hidden>
        <summary>Add another container</summary>
        <form>
        <label>Container <input name="container" required placeholder="iCloud.com.example.app" autocomplete="off"></label>
        <label>Environment <select name="environment"><option>production</option><option>development</option></select></label>
        <label>Token <input name="token" required placeholder="trends-…" autocomplete="off" autocapitalize="none" spellcheck="false"></label>
        <button>Add</button>
        </form>
        </details>

        <template id="place">
        <section class="place">
        <header><h2></h2><span class="environment"></span><button type="button" class="remove" hidden>Remove</button></header>
        <p class="state"><span class="dot"></span><span class="said" role="status"></span><span class="as-of"></span></p>
        <p class="fault" role="alert" hidden></p>
        <form class="key" hidden>
        <label>Token <input name="token" required placeholder="trends-…" autocomplete="off" autocapitalize="none" spellcheck="false"></label>
        <button>Show</button>
        </form>
        <p class="nothing" hidden>Nothing is counted here yet. A record appears here a second after it is saved.</p>
        <ul class="cards"></ul>
        </section>
        </template>

        <template id="card">
        <li class="card">
        <h3><button type="button" aria-expanded="false"></button></h3>
        <p class="today"><b></b> <span>new today</span></p>
        <div class="spark"></div>
        <dl>
        <div><dt>7 days</dt><dd><span class="week"></span> <span class="change" aria-hidden="true"></span><span class="unseen"></span></dd></div>
        <div><dt>Total</dt><dd class="total"></dd></div>
        <div><dt>Live</dt><dd class="live"></dd></div>
        </dl>
        </li>
        </template>

        <template id="large">
        <li class="large">
        <header><h3 tabindex="-1"></h3><button type="button" class="close" aria-label="Close">×</button></header>
        <div class="tools">
        <fieldset class="by"><legend class="unseen">A bar for each</legend></fieldset>
        <fieldset class="view"><legend class="unseen">What is shown</legend></fieldset>
        <div class="moves">
        <button type="button" class="earlier">‹ Earlier</button><button type="button" class="later">Later ›</button
        ><button type="button" class="all">From the first day</button><button type="button" class="now">Up to today</button>
        <button type="button" class="csv" aria-label="Save these figures as CSV">CSV</button>
        </div>
        </div>
        <p class="range"></p>
        <div class="both">
        <figure></figure>
        <div class="figures" tabindex="0" role="region" aria-label="The same figures as a table"><table>
        <thead><tr></tr></thead>
        <tbody></tbody>
        </table></div>
        </div>
        </li>
        </template>
        """#
}
