// The parts that all plots share: size, font, colours that are legible on light and dark, and the
// legend. The same values always give the same bytes, so plots can be kept under version control.

export type Series = { readonly name: string }

/** Fits a page without scaling the text down. */
export const width = 720
const fontSize = 13
/** The approximate width of a letter; an SVG cannot measure its own text. */
const letterWidth = 7.2
const colours = ['#2f7ed8', '#d9772b', '#2f9e6e', '#a45cc4']
const legendHeight = 24
const titleHeight = 34

export type Frame = { readonly title: string; readonly series: readonly Series[] }

/** The y at which the drawing starts, below title and legend. */
export function topOf({ series }: Frame): number {
  return titleHeight + (series.length > 1 ? legendHeight : 0) + 8
}

export function document(frame: Frame, height: number, drawing: readonly string[]): string {
  const size = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`
  const head = textAt({ x: 12, y: 23, text: frame.title, isBold: true })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img">`,
    `<title>${escaped(frame.title)}</title>`,
    `<style>${style}</style>`,
    head,
    ...(frame.series.length > 1 ? legend(frame.series) : []),
    ...drawing,
    '</svg>',
    '',
  ].join('\n')
}

// An embedded SVG does not inherit the colours of its page, so it follows the reader's setting.
const style = [
  'svg { color: #1f2328 }',
  '@media (prefers-color-scheme: dark) { svg { color: #e6edf3 } }',
  `text { font: ${fontSize}px system-ui, sans-serif; fill: currentColor }`,
  '.bold { font-weight: 600 }',
  '.quiet { opacity: 0.75 }',
  '.grid { stroke: currentColor; opacity: 0.2 }',
].join(' ')

function legend(series: readonly Series[]): string[] {
  let x = 12
  return series.flatMap(({ name }, number) => {
    const at = x
    x += widthOf(name) + 38
    const box = `<rect x="${at}" y="${titleHeight + 4}" width="12" height="12" rx="2" `
    return [
      `${box}fill="${colourOf(number)}"/>`,
      textAt({ x: at + 18, y: titleHeight + 14, text: name }),
    ]
  })
}

export type TextPlace = {
  readonly x: number
  readonly y: number
  readonly text: string
  readonly anchor?: 'start' | 'middle' | 'end'
  readonly isBold?: boolean
  readonly isQuiet?: boolean
}

export function textAt({ x, y, text, anchor = 'start', isBold, isQuiet }: TextPlace): string {
  const kind = isBold === true ? ' class="bold"' : isQuiet === true ? ' class="quiet"' : ''
  const place = `x="${short(x)}" y="${short(y)}" text-anchor="${anchor}"`
  return `<text ${place}${kind}>${escaped(text)}</text>`
}

export function gridLine(x1: number, y1: number, x2: number, y2: number): string {
  const ends = `x1="${short(x1)}" y1="${short(y1)}" x2="${short(x2)}" y2="${short(y2)}"`
  return `<line class="grid" ${ends}/>`
}

export function colourOf(series: number): string {
  return colours[series % colours.length]!
}

export function widthOf(text: string): number {
  return text.length * letterWidth
}

/** To a tenth of a pixel. */
export function short(value: number): string {
  return String(Math.round(value * 10) / 10)
}

/** A number on an axis: 2,500 or 0.25. */
export function tickText(value: number): string {
  return value.toLocaleString('en-US', { maximumSignificantDigits: 3 })
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
