// Builds the guide after an install. It needs no development dependencies, but a Node that strips
// types, which "npm ci" installs. Without one the install must not fail; the service then answers
// at /guide how to build it.

import { fileURLToPath } from 'node:url'

try {
  const { build } = await import('./build.ts')
  build(
    fileURLToPath(new URL('../', import.meta.url)),
    fileURLToPath(new URL('dist', import.meta.url)),
  )
} catch (error) {
  if (error.code !== 'ERR_UNKNOWN_FILE_EXTENSION') throw error
  process.stdout.write('The guide was not built: this version of Node does not strip types.\n')
}
