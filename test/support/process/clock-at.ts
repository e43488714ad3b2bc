// A service that lives at another time: what its process takes for the clock of the machine is
// shifted. It is loaded before the service's own code, which so needs no switch for it.

const aheadMs = process.env.CLOCK_AHEAD_MS

if (aheadMs !== undefined) {
  const ofMachine = Date.now
  Date.now = () => ofMachine() + Number(aheadMs)
}

/** Settings of a process for which it is that time now. */
export function clockAt(time: number): Readonly<Record<string, string>> {
  return { NODE_OPTIONS: `--import=${import.meta.url}`, CLOCK_AHEAD_MS: `${time - Date.now()}` }
}
