// Why a store cannot be opened. The service prints the message and exits.

/** Why a service must not continue from a stored logical time; null if it may. */
export type TimeProblem = (storedTime: number) => string | null

/** The common class of all reasons. */
export class StoreCannotOpen extends Error {
  override readonly name: string = 'StoreCannotOpen'
}

/** The database or the clock is set up wrongly: a restart alone does not help. */
export class SetupProblem extends StoreCannotOpen {
  override readonly name = 'SetupProblem'
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
