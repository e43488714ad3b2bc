// The metrics of a primary process and its front ends as one text. Counters, histograms and most
// gauges are summed; the gauges of a process, such as its memory, have a label with its name.

/** Processes that do not answer in time count with their last answer. */
const answerMsMax = 1_000

export type MeasuredProcess = {
  readonly name: string
  readonly text: () => Promise<string>
}

type Family = {
  readonly help: string
  readonly type: string
  /** By name and labels. */
  readonly values: Map<string, number>
}
type Families = Map<string, Family>

/** Gauges that say nothing if they are summed. */
const perProcess = /^outcry_(?:process_|nodejs_|clock_behind_seconds|registry_lag|event_lag)/

export class FrontEndMetrics {
  readonly #own: () => Promise<string>
  readonly #processes = new Map<string, MeasuredProcess & { last: string }>()
  /** The counters of processes that have ended: a sum must not become less. */
  readonly #ended: Families = new Map()

  constructor(own: () => Promise<string>) {
    this.#own = own
  }

  add(id: string, process: MeasuredProcess): void {
    this.#processes.set(id, { ...process, last: '' })
  }

  /** The process has ended. */
  remove(id: string): void {
    const ended = this.#processes.get(id)
    this.#processes.delete(id)
    if (ended !== undefined) addTo(this.#ended, ended.last, { name: ended.name, isEnded: true })
  }

  async text(): Promise<string> {
    const processes = [...this.#processes.values()]
    const [own] = await Promise.all([this.#own(), ...processes.map(ask)])
    const sums: Families = new Map()
    addTo(sums, own, { name: 'engine', isEnded: false })
    for (const { name, last } of processes) addTo(sums, last, { name, isEnded: false })
    addFamilies(sums, this.#ended)
    return [...sums].map(([name, family]) => textOf(name, family)).join('')
  }
}

async function ask(process: MeasuredProcess & { last: string }): Promise<void> {
  const late = new Promise<null>((resolve) => {
    setTimeout(() => resolve(null), answerMsMax).unref()
  })
  const text = await Promise.race([process.text().catch(() => null), late])
  if (text !== null) process.last = text
}

type Source = { readonly name: string; readonly isEnded: boolean }

/** Adds the lines of a text in Prometheus' format. */
function addTo(families: Families, text: string, { name: process, isEnded }: Source): void {
  let family: Family | null = null
  let help = ''
  let isLabelled = false
  for (const line of text.split('\n')) {
    if (line.startsWith('# HELP ')) help = line.slice('# HELP '.length)
    else if (line.startsWith('# TYPE ')) {
      const [name = '', type = ''] = line.slice('# TYPE '.length).split(' ')
      isLabelled = type === 'gauge' && perProcess.test(name)
      family = isEnded && type === 'gauge' ? null : familyOf(families, name, { help, type })
    } else if (line !== '' && family !== null) {
      const at = line.lastIndexOf(' ')
      const series = isLabelled ? withLabel(line.slice(0, at), process) : line.slice(0, at)
      add(family, series, Number(line.slice(at + 1)))
    }
  }
}

function addFamilies(to: Families, from: Families): void {
  for (const [name, { values, ...about }] of from) {
    const family = familyOf(to, name, about)
    for (const [series, value] of values) add(family, series, value)
  }
}

function familyOf(families: Families, name: string, about: Omit<Family, 'values'>): Family {
  const known = families.get(name)
  if (known !== undefined) return known
  const family = { ...about, values: new Map<string, number>() }
  families.set(name, family)
  return family
}

function add({ values }: Family, series: string, value: number): void {
  values.set(series, (values.get(series) ?? 0) + value)
}

function withLabel(series: string, process: string): string {
  const label = `process="${process}"`
  if (!series.endsWith('}')) return `${series}{${label}}`
  return `${series.slice(0, -1)},${label}}`
}

function textOf(name: string, { help, type, values }: Family): string {
  const lines = [...values].map(([series, value]) => `${series} ${value}\n`)
  return `# HELP ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`
}
