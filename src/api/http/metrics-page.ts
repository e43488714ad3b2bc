// The metrics as a page: made when they are asked for, and at most once a second.

/** What is measured, as text. */
export type MetricsSource = {
  text(): Promise<string>
  readonly contentType: string
}

/** Making the text takes milliseconds, and a scrape every second is frequent already. */
const metricsAgeMsMax = 1_000

export function metricsPage(metrics: MetricsSource): () => Promise<Buffer> {
  return cached(async () => Buffer.from(await metrics.text()), metricsAgeMsMax)
}

/** Makes a value when it is asked for, and again when it is too old; a failure is not kept. */
function cached<Value>(make: () => Promise<Value>, ageMsMax: number): () => Promise<Value> {
  let made: Promise<Value> | null = null
  let madeAt = 0
  return () => {
    const now = performance.now()
    if (made !== null && now - madeAt < ageMsMax) return made
    madeAt = now
    const making = make()
    making.catch(() => {
      if (made === making) made = null
    })
    made = making
    return making
  }
}
