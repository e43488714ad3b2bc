// Start errors for a port that cannot be opened.

/** One line for an error of the operating system, or null if it is not about the port. */
export function portProblem(error: Error, port: number, setting: string): string | null {
  // The gRPC library has the code in its message only.
  if (error.message.includes('EADDRINUSE')) {
    return `Port ${port} is in use by another process; set ${setting} to a free port.`
  }
  if (error.message.includes('EACCES')) {
    return `No permission to open port ${port}; set ${setting} to a port from 1024 to 65535.`
  }
  return null
}
