// Why the SQLite store cannot be opened. The service prints the message and exits.

import { StoreCannotOpen } from '../start-errors.ts'

export { FolderInUse, FolderUnusable, SetupProblem, StoreCannotOpen } from '../start-errors.ts'

export class NoDatabase extends StoreCannotOpen {
  override readonly name = 'NoDatabase'

  constructor(folder: string) {
    super(`There is no database in ${folder}.`)
  }
}

export class MadeByNewerVersion extends StoreCannotOpen {
  override readonly name = 'MadeByNewerVersion'

  constructor(folder: string) {
    super(`The data in ${folder} was written by a newer version of Outcry; start that version.`)
  }
}

export class DatabaseUnreadable extends StoreCannotOpen {
  override readonly name = 'DatabaseUnreadable'

  constructor(file: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    super(`The database ${file} cannot be read: ${reason}.`, { cause })
  }
}

export class DatabaseDamaged extends StoreCannotOpen {
  override readonly name = 'DatabaseDamaged'

  constructor(file: string, finding: string) {
    super(`The database ${file} is damaged (${finding}); restore a backup.`)
  }
}

/** The last process did not stop cleanly, so what it committed last may be only in that file. */
export class TurnsMissing extends StoreCannotOpen {
  override readonly name = 'TurnsMissing'

  constructor(file: string) {
    super(`${file} is missing, in which the last orders are; put it back, or restore a backup.`)
  }
}

/** Another version may encode them otherwise. A clean stop leaves no turns outside the tables. */
export class TurnsOfOtherVersion extends StoreCannotOpen {
  override readonly name = 'TurnsOfOtherVersion'

  constructor(file: string) {
    const advice = 'start that version once and stop it'
    super(`The last orders in ${file} were written by another version of Outcry; ${advice}.`)
  }
}

/** What was committed last cannot be brought into the tables. */
export class TurnsUnusable extends StoreCannotOpen {
  override readonly name = 'TurnsUnusable'

  constructor(file: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    const advice = 'put back the right file, or restore a backup'
    super(`The last orders in ${file} cannot be used: ${reason}; ${advice}.`, { cause })
  }
}
