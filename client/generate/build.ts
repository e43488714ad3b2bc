// Builds the package into client/dist, or into a given folder: as ES modules, and as CommonJS for
// programs that require it. Run it with: npm run build:client

import { execFileSync } from 'node:child_process'
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../', import.meta.url))
const tsc = fileURLToPath(new URL('../../node_modules/.bin/tsc', import.meta.url))
const target = resolve(process.argv[2] ?? join(root, 'dist'))
const commonJs = join(target, 'cjs')

rmSync(target, { recursive: true, force: true })
compile('tsconfig.json', target)
compile('tsconfig.cjs.json', commonJs)
// Below it, .js and .d.ts files are CommonJS.
writeFileSync(join(commonJs, 'package.json'), '{ "type": "commonjs" }\n')
for (const path of globSync('**/*.d.ts', { cwd: target })) nameCompiledFiles(join(target, path))

function compile(project: string, outDir: string): void {
  execFileSync(tsc, ['--project', join(root, project), '--outDir', outDir], { stdio: 'inherit' })
}

/** The compiler leaves the names of the sources in declarations, which older ones reject. */
function nameCompiledFiles(path: string): void {
  const text = readFileSync(path, 'utf8')
  writeFileSync(path, text.replace(/(from |import\()(['"])(\.[^'"]*)\.ts\2/g, '$1$2$3.js$2'))
}
