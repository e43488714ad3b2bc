// Why the SQLite store cannot be opened. The service prints the message and exits.

import { StoreCannotOpen } from '../start-errors.ts'

export { FolderInUse, FolderUnusable, SetupProblem, StoreCannotOpen } from '../start-errors.ts'

export class MadeByNewerVersion extends StoreCannotOpen {
  override readonly name = 'MadeByNewerVersion'

  constructor(folder: string) {
    super(`The data in ${folder} was written by a newer version of Outcry; start that version.`)
  }
}

export class DatabaseDamaged extends StoreCannotOpen {
  override readonly name = 'DatabaseDamaged'

  constructor(file: string, finding: string) {
    super(`The database ${file} is damaged (${finding}); restore a backup.`)
  }
}
