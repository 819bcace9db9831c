extension TrendScript {
    /// A picture from the server is copied node by node: only elements and attributes that charts use.
    static let pictures = #"""

        const SVG = "http://www.w3.org/2000/svg"
        const ELEMENTS = new Set("svg g defs pattern path rect circle text title desc".split(" "))
        const ATTRIBUTES = new Set(("id class role aria-labelledby width height viewBox x y d cx cy r rx transform fill fill-opacity stroke "
          + "stroke-width stroke-dasharray stroke-linejoin paint-order text-anchor font-family font-size font-weight patternUnits").split(" "))

        function copied(node) {
          if (node.nodeType === Node.TEXT_NODE) return document.createTextNode(node.data)
          if (node.namespaceURI !== SVG || !ELEMENTS.has(node.localName)) return null
          const copy = document.createElementNS(SVG, node.localName)
          for (const {name, value} of node.attributes) if (ATTRIBUTES.has(name)) copy.setAttribute(name, value)
          for (const child of node.childNodes) {
            const inner = copied(child)
            if (inner) copy.append(inner)
          }
          return copy
        }

        function show(text, element) {
          const picture = copied(new DOMParser().parseFromString(text, "image/svg+xml").documentElement)
          if (picture) element.replaceChildren(picture)
        }
        """#
}
