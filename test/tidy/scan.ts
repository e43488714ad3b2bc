// Splits TypeScript into code and comments, character by character, because the compiler offers no
// API for it. The rest is replaced by blanks, so that positions and line numbers stay the same. JSX
// text counts as code.

export type Scanned = {
  /** The source with comments and the insides of strings, templates and regexes blanked. */
  readonly code: string
  /** The source with everything but its comments blanked. */
  readonly comments: string
}

/** Quoted pieces keep their first and last character: the quotes, or the braces of a template. */
type Piece = { readonly end: number; readonly kind: 'code' | 'comment' | 'quoted' }

export function scan(text: string): Scanned {
  let code = ''
  let comments = ''
  // One entry per open `${`: the number of open braces inside it. When it is 0, the next closing
  // brace ends the expression and the template continues.
  const openBraces: number[] = []

  for (let at = 0; at < text.length; ) {
    const resumesTemplate = text[at] === '}' && openBraces.at(-1) === 0
    const { end, kind } = pieceAt(text, at, { resumesTemplate, codeBefore: code })
    const piece = text.slice(at, end)
    code += kind === 'code' ? piece : kind === 'quoted' ? blankInside(piece) : blank(piece)
    comments += kind === 'comment' ? piece : blank(piece)

    const isTemplate = resumesTemplate || piece[0] === '`'
    if (resumesTemplate) openBraces.pop()
    if (isTemplate && piece.endsWith('{')) openBraces.push(0)
    if (!isTemplate && openBraces.length > 0) {
      if (piece === '{') openBraces[openBraces.length - 1]! += 1
      if (piece === '}') openBraces[openBraces.length - 1]! -= 1
    }
    at = end
  }
  return { code, comments }
}

type Before = { readonly resumesTemplate: boolean; readonly codeBefore: string }

function pieceAt(text: string, at: number, { resumesTemplate, codeBefore }: Before): Piece {
  const char = text[at]!
  if (text.startsWith('//', at)) return { end: endBefore(text, '\n', at), kind: 'comment' }
  if (text.startsWith('/*', at)) return { end: endAfter(text, '*/', at + 2), kind: 'comment' }
  if (char === '`' || resumesTemplate) return { end: endOfTemplate(text, at), kind: 'quoted' }
  if (char === "'" || char === '"') return { end: endOfString(text, at), kind: 'quoted' }
  if (char === '/' && regexMayFollow(codeBefore)) {
    const end = endOfRegex(text, at)
    if (end !== undefined) return { end, kind: 'quoted' }
  }
  return { end: at + 1, kind: 'code' }
}

function endBefore(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from)
  return found === -1 ? text.length : found
}

function endAfter(text: string, mark: string, from: number): number {
  return Math.min(text.length, endBefore(text, mark, from) + mark.length)
}

/** The part of a template up to its closing backtick or to the next `${`, whichever comes first. */
function endOfTemplate(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '`') return at + 1
    else if (text.startsWith('${', at)) return at + 2
  }
  return text.length
}

/** A string ends on its line at the latest: an apostrophe in JSX text must not swallow the file. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === text[start]) return at + 1
    else if (text[at] === '\n') return at
  }
  return text.length
}

/** Undefined when the line ends first: then the slash was a division after all. */
function endOfRegex(text: string, start: number): number | undefined {
  let inClass = false
  for (let at = start + 1; at < text.length && text[at] !== '\n'; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '[') inClass = true
    else if (text[at] === ']') inClass = false
    else if (text[at] === '/' && !inClass) return at + 1
  }
  return undefined
}

/** Whether a slash behind this code opens a regex; behind a value it divides. */
function regexMayFollow(codeBefore: string): boolean {
  const before = codeBefore.trimEnd()
  if (before === '') return true
  // A value may also end in `x!`, `x++` or `x--`, whose last character looks like an operator.
  if (/[\w$)\]]!$|\+\+$|--$/.test(before)) return false
  if (/[(,=:[!&|?{};+\-*%>~^]$/.test(before)) return true
  return /(?<![\w$.])(?:return|typeof|case|in|of|void|throw|else|await|yield)$/.test(before)
}

function blank(piece: string): string {
  return piece.replace(/[^\n]/g, ' ')
}

function blankInside(piece: string): string {
  return piece.length < 2 ? piece : piece[0]! + blank(piece.slice(1, -1)) + piece.at(-1)!
}
