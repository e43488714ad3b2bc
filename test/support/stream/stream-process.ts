// Runs the service with settings of the stream that a test chooses: shorter times, other limits.
// They come as JSON in STREAM_SETTINGS.

import { readConfig } from '../../../src/config.ts'
import { startService } from '../../../src/wiring/start.ts'

const stream = JSON.parse(process.env.STREAM_SETTINGS ?? '{}')
const service = await startService(readConfig(process.env), { stream })
process.stdout.write(service.startMessage)
process.once('SIGTERM', () => {
  service.stop().then(() => process.exit(0))
})
