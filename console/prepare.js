// Builds the console after an install. An install without development dependencies has nothing to
// build with and must not fail: the service then says how to build where the console would be.
// Plain JavaScript, for an install may run on a Node that strips no types.

import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('.', import.meta.url))

try {
  const { build } = await import('vite')
  await build({ root, configFile: `${root}/vite.config.ts`, logLevel: 'warn' })
} catch (error) {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
  process.stdout.write('The console is not built: its development dependencies are left out.\n')
}
