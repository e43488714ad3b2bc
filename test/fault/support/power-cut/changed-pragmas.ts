// Loaded into a service with --import: changes pragmas of its SQLite connections, in all of its
// threads. FAULT_PRAGMAS has the form "synchronous=NORMAL,wal_autocheckpoint=200".

import { DatabaseSync } from 'node:sqlite'

const changes = (process.env.FAULT_PRAGMAS ?? '')
  .split(',')
  .filter((change) => change !== '')
  .map((change) => change.split('='))
const execute = DatabaseSync.prototype.exec

DatabaseSync.prototype.exec = function (this: DatabaseSync, text: string) {
  let changed = text
  for (const [name, value] of changes) {
    changed = changed.replace(new RegExp(`PRAGMA ${name} = \\w+`, 'g'), `PRAGMA ${name} = ${value}`)
  }
  return execute.call(this, changed)
}
