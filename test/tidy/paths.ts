// Classifies files by their paths.

export function isTypeScript(path: string): boolean {
  return /\.tsx?$/.test(path)
}

export function isTest(path: string): boolean {
  return /\.test\.tsx?$/.test(path)
}

/** Whether the file is in a folder of code, as opposed to documents and settings. */
export function isInCodeFolder(path: string): boolean {
  return /^(?:src|test|bench|examples|client|console|demo)\//.test(path)
}

export function isGenerated(path: string): boolean {
  return /(?:^|\/)generated\//.test(path)
}

export function isMigration(path: string): boolean {
  return /(?:^|\/)migrations\//.test(path)
}
