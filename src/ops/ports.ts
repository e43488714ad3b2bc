// Why a port could not be opened, for whoever starts the service.

/** One line about an error of the operating system, or null where it says nothing of the port. */
export function complaintAboutPort(error: Error, port: number, setting: string): string | null {
  // gRPC's library has the code in its message only.
  if (error.message.includes('EADDRINUSE')) {
    return `Port ${port} is in use by another process; set ${setting} to a free one.`
  }
  if (error.message.includes('EACCES')) {
    return `This user may not open port ${port}; set ${setting} to one from 1024 on.`
  }
  return null
}
