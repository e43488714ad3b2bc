// Why a store cannot be opened, each in one sentence for whoever starts the service.

import { StoreCannotOpen } from '../start-errors.ts'

export { StoreCannotOpen } from '../start-errors.ts'

export class FolderInUse extends StoreCannotOpen {
  override readonly name = 'FolderInUse'

  constructor(folder: string, cause: unknown) {
    super(`The data folder ${folder} is in use by another process.`, { cause })
  }
}

export class FolderUnusable extends StoreCannotOpen {
  override readonly name = 'FolderUnusable'

  constructor(folder: string, cause: unknown) {
    super(`The data folder ${folder} cannot be made or written to: ${textOf(cause)}.`, { cause })
  }
}

export class MadeByNewerVersion extends StoreCannotOpen {
  override readonly name = 'MadeByNewerVersion'

  constructor(folder: string) {
    super(`The data in ${folder} was made by a newer version of Outcry; start that version.`)
  }
}

export class DatabaseDamaged extends StoreCannotOpen {
  override readonly name = 'DatabaseDamaged'

  constructor(file: string, finding: string) {
    super(`The database ${file} is damaged (${finding}); restore a backup.`)
  }
}

function textOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}
