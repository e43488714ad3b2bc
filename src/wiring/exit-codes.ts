// How the process ends.

/** From sysexits.h. */
export const exitCodes = { invalidSetting: 78, cannotStart: 69, storeFailed: 70 } as const
