// Starts the viewer of the reference. It runs before the viewer, which writes styles into the page:
// the content security policy allows style elements with the nonce of the response, and no style
// attributes in HTML. Styles that a script sets are allowed, so the attributes are set that way.

const { nonce } = document.currentScript

const createElement = Document.prototype.createElement
Document.prototype.createElement = function (...given) {
  const element = createElement.apply(this, given)
  if (element instanceof HTMLStyleElement) element.nonce = nonce
  return element
}

const setAttribute = Element.prototype.setAttribute
Element.prototype.setAttribute = function (name, value) {
  if (name === 'style') this.style.cssText = value
  else setAttribute.call(this, name, value)
}

const html = Object.getOwnPropertyDescriptor(Element.prototype, 'innerHTML')
Object.defineProperty(Element.prototype, 'innerHTML', {
  ...html,
  set(text) {
    html.set.call(this, String(text).replace(/(<[a-z][^<>]*) style="/gi, '$1 data-style="'))
    for (const element of this.querySelectorAll('[data-style]')) {
      element.style.cssText = element.dataset.style
    }
  },
})

// Only what works without internet access, and without the extras of an API client.
addEventListener('DOMContentLoaded', () => {
  globalThis.Scalar.createApiReference('#app', {
    url: '../openapi.json',
    withDefaultFonts: false,
    // Columns as wide as their texts, where they fit: the viewer breaks error codes within a word.
    customCss: `@media (min-width: 1000px) {
      .scalar-app .markdown table { table-layout: auto }
      .scalar-app .markdown :is(th, td) { word-break: normal }
    }`,
    telemetry: false,
    hideClientButton: true,
    showDeveloperTools: 'never',
    agent: { disabled: true },
  })
})
