// Why a store cannot be opened, in one sentence for whoever starts the service.

/** Any of the reasons that a store has. */
export class StoreCannotOpen extends Error {
  override readonly name: string = 'StoreCannotOpen'
}
