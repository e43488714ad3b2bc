// The name and version of this package, as the service sees them.

const version = '0.1.0'

/** Browsers have a user agent of their own, which a page does not change. */
export const userAgent: string | null =
  'document' in globalThis || 'WorkerGlobalScope' in globalThis ? null : `outcry-client/${version}`
