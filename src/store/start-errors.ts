// Why a store cannot be opened. The service prints the message and exits.

/** The common class of all reasons. */
export class StoreCannotOpen extends Error {
  override readonly name: string = 'StoreCannotOpen'
}

export class FolderInUse extends StoreCannotOpen {
  override readonly name = 'FolderInUse'

  constructor(folder: string, cause: unknown) {
    super(`The data folder ${folder} is in use by another process.`, { cause })
  }
}

export class FolderUnusable extends StoreCannotOpen {
  override readonly name = 'FolderUnusable'

  constructor(folder: string, cause: unknown) {
    super(`The data folder ${folder} cannot be created or written to: ${textOf(cause)}.`, { cause })
  }
}

function textOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}
