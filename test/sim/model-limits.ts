// The limits on an operator's markets in the model: what has not ended is counted by a scan.

import type { Market, State } from './model-state.ts'

type Text = Pick<Market, 'title' | 'description' | 'imageUrl'> & {
  readonly books: readonly { readonly name: string }[]
}

/** Whether the market counts for the limits of its operator. */
export function isCounted({ status, isCancelDone }: Market): boolean {
  return status !== 'SETTLED' && !(status === 'CANCELLED' && isCancelDone)
}

/** Whether the operator would have too much with these new markets. */
export function exceedsLimit(state: State, operator: number, added: readonly Text[]): boolean {
  const { operatorMarketsMax, operatorOutcomesMax } = state.rules
  const all = [...countedOf(state, operator), ...added]
  if (operatorMarketsMax > 0 && all.length > operatorMarketsMax) return true
  const outcomes = all.flatMap(({ books }) => books).length
  if (operatorOutcomesMax > 0 && outcomes > operatorOutcomesMax) return true
  return exceedsTextLimit(state, operator, added)
}

/** Whether the operator would have too much text with these markets, instead of that one. */
export function exceedsTextLimit(
  state: State,
  operator: number,
  added: readonly Text[],
  replaced?: Market,
): boolean {
  const { operatorTextMbMax } = state.rules
  if (operatorTextMbMax === 0) return false
  const others = countedOf(state, operator).filter((market) => market !== replaced)
  const bytes = [...others, ...added].map(textBytesOf).reduce((sum, each) => sum + each, 0)
  return bytes > operatorTextMbMax * 1_048_576
}

export function textBytesOf({ title, description, imageUrl, books }: Text): number {
  const texts = [title, description ?? '', imageUrl ?? '', ...books.map(({ name }) => name)]
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0)
}

function countedOf(state: State, operator: number): readonly Market[] {
  return state.markets.filter((market) => market.owner === operator && isCounted(market))
}
