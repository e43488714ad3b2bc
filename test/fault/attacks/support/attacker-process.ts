// The process of an attacker: prepares its attack, says that it is ready, attacks from `start` to
// `stop`, and reports what it was answered.

import { attackNamed } from '../attacks.ts'
import type { AttackContext } from './attack.ts'
import { atFixedRate } from './fixed-rate.ts'
import { HttpCaller, type Reply } from './http-caller.ts'
import type { AttackerCommand, AttackerReport, AttackJob } from './round-messages.ts'

/** Requests under way per attacker; more are not sent. */
const inFlightMax = 512
// The service counts some limits by address; only Linux has more than one by default.
const address = process.platform === 'linux' ? '127.0.0.2' : undefined

async function run(job: AttackJob): Promise<void> {
  const end = new AbortController()
  const tally: Record<string, number> = {}
  const count = (what: string) => {
    tally[what] = (tally[what] ?? 0) + 1
  }
  const context = contextOf(job, { signal: end.signal, count })
  const attack = await attackNamed(job.attack).prepare(context)
  process.on('message', (command: AttackerCommand) => {
    if (command.op === 'start') attack()
    else {
      end.abort()
      report({ state: 'stopped', tally })
    }
  })
  report({ state: 'ready' })
}

function contextOf(
  { url, key, orders, share }: AttackJob,
  { signal, count }: Pick<AttackContext, 'signal' | 'count'>,
): AttackContext {
  const sockets = inFlightMax
  let inFlight = 0
  const send = async (request: () => Promise<{ readonly status: number }>) => {
    if (inFlight >= inFlightMax) {
      count('not sent')
      return
    }
    inFlight += 1
    try {
      count(outcomeOf(await request()))
    } catch {
      count('no answer')
    }
    inFlight -= 1
  }
  return {
    url,
    key,
    address,
    orders,
    signal,
    count,
    operator: new HttpCaller({ url, key, address, sockets }),
    anonymous: new HttpCaller({ url, key: null, address, sockets }),
    repeat: (perSecond, request) => {
      const rate = { perSecond: perSecond * share, signal }
      void atFixedRate(rate, (number) => void send(() => request(number)))
    },
  }
}

function outcomeOf(reply: { readonly status: number } & Partial<Reply>): string {
  const code = /"code":"(\w+)"/.exec(reply.text ?? '')?.[1]
  return reply.status < 400 || code === undefined ? `${reply.status}` : `${reply.status} ${code}`
}

function report(message: AttackerReport): void {
  process.send?.(message)
}

await run(JSON.parse(process.argv[2] ?? '{}'))
