// Loaded into a service with --import: changes pragmas of its SQLite connections, in all of its
// threads. FAULT_PRAGMAS has the form "synchronous=NORMAL,wal_autocheckpoint=200"; with the name of
// a file, as in "outcry.db-turns:synchronous=NORMAL", only for that file.

import { basename } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

const changes = (process.env.FAULT_PRAGMAS ?? '')
  .split(',')
  .map((text) => /^(?:(?<file>.+):)?(?<name>\w+)=(?<value>\w+)$/.exec(text)?.groups)
  .filter((change) => change !== undefined)
const execute = DatabaseSync.prototype.exec

DatabaseSync.prototype.exec = function (this: DatabaseSync, text: string) {
  const opened = basename(this.location() ?? '')
  let changed = text
  for (const { file, name, value } of changes) {
    if (file !== undefined && file !== opened) continue
    changed = changed.replace(new RegExp(`PRAGMA ${name} = \\w+`, 'g'), `PRAGMA ${name} = ${value}`)
    // Also where the service leaves the default.
    changed = changed.replace('journal_mode = WAL;', `$& PRAGMA ${name} = ${value};`)
  }
  return execute.call(this, changed)
}
