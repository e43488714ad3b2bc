// Shifts the wall clock of a service process. It is loaded before the code of the service, which
// needs no switch for it.

const aheadMs = process.env.CLOCK_AHEAD_MS

if (aheadMs !== undefined) {
  const systemNow = Date.now
  Date.now = () => systemNow() + Number(aheadMs)
}

/** The environment of a process whose wall clock starts at that time. */
export function clockAt(time: number): Readonly<Record<string, string>> {
  return { NODE_OPTIONS: `--import=${import.meta.url}`, CLOCK_AHEAD_MS: `${time - Date.now()}` }
}
