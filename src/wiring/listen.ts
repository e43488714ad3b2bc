// Opens the ports of the service. Every port is tried, so that one start names all that are in use.

import { type PortFailure, PortsCannotOpen } from '../ops/ports.ts'

export type Opening = {
  /** The setting that has chosen the port. */
  readonly setting: string
  readonly port: number
  /** Resolves to the port, if it was 0. */
  readonly open: (port: number) => Promise<number>
}

/** Returns the ports, in order. Throws PortsCannotOpen. */
export async function openPorts(openings: readonly Opening[]): Promise<readonly number[]> {
  const failures: PortFailure[] = []
  const ports: number[] = []
  for (const { setting, port, open } of openings) {
    try {
      ports.push(await open(port))
    } catch (cause) {
      const error = cause instanceof Error ? cause : new Error(String(cause))
      failures.push({ error, port, setting })
    }
  }
  if (failures.length > 0) throw new PortsCannotOpen(failures)
  return ports
}
