// Why a store cannot be opened, each in one sentence for whoever starts the service.

import { StoreCannotOpen } from '../start-errors.ts'

export { FolderInUse, FolderUnusable, StoreCannotOpen } from '../start-errors.ts'

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
