extension TrendPage {
    /// Appended to the common style of all pages, whose colors it uses, and that of charts.
    static let style = """

        body { max-width: 78rem; padding: 1rem clamp(.75rem, 3vw, 2rem) 3rem; line-height: 1.4 }
        :root { --quiet: #5a5a63; --up: #17652c; --down: #9a3412 }
        @media (prefers-color-scheme: dark) { :root { --quiet: #a9a9b4; --up: #7fd495; --down: #f7b58a } }
        [hidden] { display: none !important }
        .unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
        .top, .place > header, .large > header { display: flex; flex-wrap: wrap; align-items: baseline; gap: .25rem .75rem }
        .top { justify-content: space-between; border-bottom: 1px solid var(--line); padding-bottom: .5rem }
        h1 { font-size: 1.15rem; margin: 0; letter-spacing: -.01em }
        h2 { font-size: clamp(1.35rem, 5vw, 1.75rem); margin: 0; letter-spacing: -.02em }
        h3 { font-size: 1rem; margin: 0 }
        .place { margin: 1.5rem 0 2.5rem }
        .environment { font-size: .8125rem; color: var(--quiet); border: 1px solid var(--line); border-radius: 99px;
          padding: .05em .7em }
        .place > header .remove { margin-left: auto }
        .state { margin: .35rem 0 1rem; font-size: .875rem; color: var(--quiet); font-variant-numeric: tabular-nums }
        .dot { display: inline-block; width: .55em; height: .55em; margin-right: .5em; border-radius: 50%;
          background: var(--quiet) }
        .is-live .dot { background: var(--up) }
        .fault { border-left: 4px solid var(--ill); background: var(--soft); padding: .75rem 1rem; margin: 0 0 1rem;
          border-radius: 0 8px 8px 0 }
        .nothing { color: var(--quiet) }

        button, select, input { font: inherit; font-size: .9375rem; color: var(--ink); background: var(--paper); min-height: 2.5rem;
          border: 1px solid var(--line); border-radius: 8px; padding: .3rem .75rem; max-width: 100% }
        button { cursor: pointer }
        button:hover:enabled { border-color: var(--link) }
        button:disabled { color: var(--quiet); cursor: default; background: var(--soft) }
        :focus-visible { outline: 3px solid var(--link); outline-offset: 2px }
        label { color: var(--quiet); font-size: .875rem }
        form { display: flex; flex-wrap: wrap; align-items: end; gap: .75rem; margin: .75rem 0 }
        form label { display: grid; gap: .2rem; flex: 1 1 14rem; min-width: 0 }
        form input, form select { width: 100%; box-sizing: border-box }
        summary { cursor: pointer; color: var(--link); padding: .5rem 0 }

        .cards { list-style: none; margin: 0; padding: 0; display: grid; gap: .75rem; grid-auto-flow: dense;
          grid-template-columns: repeat(auto-fill, minmax(min(100%, 16.5rem), 1fr)) }
        .card { position: relative; min-width: 0; border: 1px solid var(--line); border-radius: 14px; padding: .85rem 1rem .75rem;
          transition: border-color .15s }
        .card:hover { border-color: var(--link) }
        .card h3 button { all: unset; display: block; cursor: pointer; font-weight: 600; max-width: 100%; overflow: hidden;
          text-overflow: ellipsis; white-space: nowrap }
        .card h3 button::after { content: ""; position: absolute; inset: 0; border-radius: 14px }
        .card h3 button:focus-visible::after { outline: 3px solid var(--link); outline-offset: 2px }
        .card.is-open { border-color: var(--link); box-shadow: inset 0 0 0 1px var(--link) }
        .today { margin: .15rem 0 .4rem; color: var(--quiet); font-size: .875rem }
        .today b { font-size: 2rem; line-height: 1.1; font-weight: 650; letter-spacing: -.03em; color: var(--ink);
          font-variant-numeric: tabular-nums; margin-right: .1em }
        .spark { min-height: 48px }
        .spark svg.small { width: 100%; height: auto }
        .card dl { display: flex; flex-wrap: wrap; justify-content: space-between; gap: .25rem 1rem; margin: .5rem 0 0;
          font-variant-numeric: tabular-nums }
        dt { font-size: .75rem; color: var(--quiet) }
        dd { margin: 0; font-weight: 600; font-size: .9375rem }
        .change { font-weight: 500; font-size: .8125rem; color: var(--quiet); white-space: nowrap }
        .change.up { color: var(--up) }
        .change.down { color: var(--down) }

        .large { grid-column: 1 / -1; min-width: 0; border: 1px solid var(--line); border-radius: 14px; padding: 1rem }
        .large > header { flex-wrap: nowrap; justify-content: space-between }
        .large h3 { font-size: 1.15rem; min-width: 0 }
        .large h3:focus-visible { outline: none }
        .close { border: 0; min-height: 2rem; padding: 0 .6rem; font-size: 1.25rem; line-height: 1 }
        .tools { display: flex; flex-wrap: wrap; gap: .5rem .75rem; margin: .5rem 0 }
        fieldset { display: flex; border: 1px solid var(--line); border-radius: 8px; padding: 0; margin: 0; min-width: 0;
          overflow: hidden }
        fieldset label { position: relative; font-size: .9375rem }
        fieldset input { position: absolute; inset: 0; min-height: 0; opacity: 0; margin: 0; cursor: pointer }
        fieldset span { display: block; padding: .5rem .8rem; color: var(--ink) }
        fieldset input:checked + span { background: var(--link); color: var(--paper); font-weight: 600 }
        fieldset input:focus-visible + span { outline: 3px solid var(--ink); outline-offset: -4px; border-radius: 8px }
        .moves { display: flex; flex-wrap: wrap; gap: .5rem }
        .range { margin: .5rem 0; font-size: .875rem; color: var(--quiet) }
        .both { display: grid; gap: 1rem; grid-template-columns: minmax(0, 1fr) }
        figure { margin: 0; min-height: 10rem }
        .figures { max-height: 22rem; overflow: auto }
        .figures table { width: 100%; font-size: .8125rem; font-variant-numeric: tabular-nums }
        .figures th, .figures td { border: 0; border-bottom: 1px solid var(--line); padding: .3rem .4rem; text-align: right }
        .figures tr > :first-child { text-align: left; padding-left: 0; font-weight: 400; min-width: 4.6rem }
        .figures th span { color: var(--quiet); white-space: nowrap }
        .figures .is-short tr > :nth-child(4) { display: none }
        .figures thead th { position: sticky; top: 0; background: var(--paper); color: var(--quiet); font-weight: 600 }
        @media (min-width: 64rem) { .both { grid-template-columns: minmax(0, 1fr) 24rem } }
        @media (max-width: 30rem) { fieldset { flex: 1 1 100% } fieldset label { flex: 1; text-align: center }
          fieldset span { padding: .5rem .2rem } .moves button { flex: 1 1 auto } }
        @media (prefers-reduced-motion: reduce) { * { transition: none !important } }
        @media print { .tools, form, details, .zone, .close, .remove, .dot { display: none !important }
          .card, .large { break-inside: avoid }
          .figures { max-height: none; overflow: visible } .figures th, .figures td { padding: .1rem .2rem }
          body { max-width: none; padding: 0 } }

        """
}
