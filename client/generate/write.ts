// Starts the service on an empty folder, fetches its API documents, and writes the client's types.
// Run it with: npm run generate:client

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '../../src/config.ts'
import { startService } from '../../src/wiring/start.ts'
import { type AsyncApi, type OpenApi, renderWire } from './render.ts'

const target = new URL('../src/generated/wire.ts', import.meta.url)

const dataDir = await mkdtemp(join(tmpdir(), 'outcry-generate-'))
try {
  const settings = { PORT: '0', GRPC_PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'warn' }
  const service = await startService(readConfig({ ...settings, DATA_DIR: dataDir }))
  try {
    const openApi: OpenApi = JSON.parse(await textOf(`${service.url}/openapi.json`))
    const asyncApi: AsyncApi = JSON.parse(await textOf(`${service.url}/asyncapi.json`))
    await writeFile(target, renderWire(openApi, asyncApi))
  } finally {
    await service.stop()
  }
} finally {
  await rm(dataDir, { recursive: true, force: true })
}

async function textOf(url: string): Promise<string> {
  return (await fetch(url)).text()
}
