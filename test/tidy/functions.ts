// Finds the functions of a scanned file by their brackets: a parameter list followed by a body.
// It relies on the formatter, which puts the opening bracket of a body on the line of its function.

export type FunctionSpan = {
  readonly name: string
  /** Positions of the parameter list's first character and the body's last. */
  readonly start: number
  readonly end: number
  /** True for the callback of `describe(` or `suite(`. */
  readonly isSuite: boolean
}

/** `code` is that of a scan. Includes nested functions. */
export function findFunctions(code: string): FunctionSpan[] {
  const brackets = matchBrackets(code)
  // Keyed by the end of the body: `(a): T => {` is found twice, first with the correct start.
  const byEnd = new Map<number, FunctionSpan>()
  const add = (start: number, body: number | undefined) => {
    const end = body === undefined ? undefined : brackets.closeOf.get(body)
    if (end === undefined || byEnd.has(end)) return
    const isSuite = isSuiteCall(code, brackets.parentOf.get(start))
    byEnd.set(end, { name: nameBefore(code, start), start, end, isSuite })
  }

  for (const [open, close] of brackets.closeOf) {
    if (code[open] !== '(' || isControlFlow(code, open)) continue
    add(open, bodyAfter(code, close + 1, brackets.closeOf))
  }
  for (const match of code.matchAll(/(?<![\w$.])[\w$]+\s*=>\s*(?=[{([])/g)) {
    add(match.index, match.index + match[0].length)
  }
  return [...byEnd.values()].sort((a, b) => a.start - b.start)
}

type CloseOf = ReadonlyMap<number, number>

type Brackets = {
  readonly closeOf: CloseOf
  /** The bracket around a bracket. */
  readonly parentOf: ReadonlyMap<number, number>
}

function matchBrackets(code: string): Brackets {
  const closeOf = new Map<number, number>()
  const parentOf = new Map<number, number>()
  const open: number[] = []
  for (let at = 0; at < code.length; at++) {
    if ('([{'.includes(code[at]!)) {
      if (open.length > 0) parentOf.set(at, open.at(-1)!)
      open.push(at)
    } else if (')]}'.includes(code[at]!)) {
      const start = open.pop()
      if (start !== undefined) closeOf.set(start, at)
    }
  }
  return { closeOf, parentOf }
}

/** Whether the bracket belongs to a statement or a class rather than to a function. */
function isControlFlow(code: string, open: number): boolean {
  const before = code.slice(Math.max(0, open - 200), open)
  if (/(?<![\w$.#])(?:if|for|while|switch|catch|with|await)\s*$/.test(before)) return true
  return /\bextends\s+[\w$.]+\s*$/.test(before)
}

function isSuiteCall(code: string, open: number | undefined): boolean {
  if (open === undefined || code[open] !== '(') return false
  return /(?<![\w$.])(?:describe|suite)$/.test(code.slice(Math.max(0, open - 20), open))
}

/** Where the body opens that belongs to the parameter list ending here, past any return type. */
function bodyAfter(code: string, from: number, closeOf: CloseOf): number | undefined {
  let first = from
  while (code[first] === ' ') first++
  if (code[first] === '{') return first
  if (code.startsWith('=>', first)) return arrowBodyAfter(code, first)
  return code[first] === ':' ? bodyAfterType(code, first + 1, closeOf) : undefined
}

/** An arrow whose result is not in brackets is short, or is measured inside. */
function arrowBodyAfter(code: string, arrow: number): number | undefined {
  let next = arrow + '=>'.length
  while (/\s/.test(code[next] ?? '.')) next++
  return '{(['.includes(code[next] ?? ' ') ? next : undefined
}

/** Ternaries and cases also look like a return type, but end before any body. */
function bodyAfterType(code: string, from: number, closeOf: CloseOf): number | undefined {
  let angles = 0
  let last = ':'
  for (let at = from; at < code.length; at++) {
    const char = code[at]!
    const isOutside = angles === 0
    if (char === ' ') continue
    if (char === '\n') {
      if (isOutside && !typeGoesOn(last, code.slice(at))) return undefined
      continue
    }
    if (code.startsWith('=>', at)) {
      const body = isOutside ? arrowBodyAfter(code, at) : undefined
      if (body !== undefined) return body
      at++
      last = '=>'
      continue
    }
    if (char === '{' && isOutside && !isOperator(last)) return at
    if (')]};='.includes(char) || (char === ',' && isOutside)) return undefined
    if ('([{'.includes(char)) at = closeOf.get(at) ?? code.length
    if (char === '<') angles++
    if (char === '>') angles--
    last = char
  }
  return undefined
}

function typeGoesOn(last: string, rest: string): boolean {
  return isOperator(last) || /^\s*[|&?]/.test(rest)
}

function isOperator(last: string): boolean {
  return last === '=>' || ':|&?'.includes(last)
}

function nameBefore(code: string, start: number): string {
  const before = code.slice(Math.max(0, start - 200), start)
  const head = before.replace(/(?:<[^()]*>)?\s*$/, '')
  const called = /(?!(?:function|async|return)$)(?<![\w$#])[\w$#]+$/.exec(head)?.[0]
  const assigned = /([\w$#]+)\s*(?::[^=;{}]*)?[=:]\s*(?:async\s*)?(?:function\s*)?$/.exec(head)?.[1]
  return called ?? assigned ?? 'an unnamed function'
}
