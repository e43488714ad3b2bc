// Which version this is, as its package says.

import { readFileSync } from 'node:fs'

const packageFile = new URL('../../package.json', import.meta.url)

export const version: string = readVersion(readFileSync(packageFile, 'utf8'))

function readVersion(text: string): string {
  const { version } = JSON.parse(text) as { version: string }
  return version
}
