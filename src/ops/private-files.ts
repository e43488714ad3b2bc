// Who may read the files of the service: the database, its log and its lock, backups and keys.

/** What the process and its threads create from now on is only for the user that runs it. */
export function makeFilesPrivate(): void {
  process.umask(0o077)
}
