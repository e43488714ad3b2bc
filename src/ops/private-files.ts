// The permissions of the files of the service: the database, its log and lock, backups and keys.

/** Files that the process creates from now on are readable only for the user that runs it. */
export function makeFilesPrivate(): void {
  process.umask(0o077)
}
