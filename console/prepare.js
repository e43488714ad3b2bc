// Builds the console after an install. Without development dependencies it cannot build and must
// not fail; the service then answers at /console how to build it. Plain JavaScript, because an
// install may run on a Node that does not strip types.

import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('.', import.meta.url))

try {
  const { build } = await import('vite')
  await build({ root, configFile: `${root}/vite.config.ts`, logLevel: 'warn' })
} catch (error) {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
  process.stdout.write(
    'The console was not built: development dependencies are not installed. See docs/operating.md.\n',
  )
}
