// Start errors for ports that cannot be opened.

/** A port that could not be opened, and the setting that has chosen it. */
export type PortFailure = {
  readonly error: Error
  readonly port: number
  readonly setting: string
}

/** Its message is the line that a failed start prints. */
export class PortsCannotOpen extends Error {
  override readonly name = 'PortsCannotOpen'

  constructor(failures: readonly PortFailure[]) {
    super(portsProblem(failures), { cause: failures[0]?.error })
  }
}

/** One line for an error of the operating system, or null if it is not about the port. */
export function portProblem(error: Error, port: number, setting: string): string | null {
  if (isInUse(error)) {
    return `Port ${port} is in use by another process; set ${setting} to a free port.`
  }
  if (error.message.includes('EACCES')) {
    return `No permission to open port ${port}; set ${setting} to a port from 1024 to 65535.`
  }
  return null
}

function portsProblem(failures: readonly PortFailure[]): string {
  const inUse = failures.filter(({ error }) => isInUse(error))
  if (inUse.length < 2) return failures.map(lineOf).join(' ')
  const ports = listOf(inUse.map(({ port }) => String(port)))
  const names = listOf(inUse.map(({ setting }) => setting))
  const line = `Ports ${ports} are in use by other processes; set ${names} to free ports.`
  const others = failures.filter(({ error }) => !isInUse(error))
  return [line, ...others.map(lineOf)].join(' ')
}

function lineOf({ error, port, setting }: PortFailure): string {
  const known = portProblem(error, port, setting)
  return known ?? `Port ${port} of ${setting} cannot be opened: ${error.message.split('\n')[0]}`
}

// The gRPC library has the code in its message only.
function isInUse({ message }: Error): boolean {
  return message.includes('EADDRINUSE')
}

function listOf(words: readonly string[]): string {
  return `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}
