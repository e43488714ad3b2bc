// The version of the service, from package.json.

import { readFileSync } from 'node:fs'

const packageFile = new URL('../../package.json', import.meta.url)

export const version: string = readVersion(readFileSync(packageFile, 'utf8'))

function readVersion(text: string): string {
  const { version } = JSON.parse(text) as { version: string }
  return version
}
