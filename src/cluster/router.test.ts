// The limits of the router, what it sends again, and the route table.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type EventForm, presentForm } from '../core/events/events.ts'
import { CommitUnknown, type PlaceOrder, Unavailable } from '../engine/commands.ts'
import type { PeerOutcome } from './peer.ts'
import { Router } from './router.ts'
import { RouteTable } from './routes.ts'

type Timer = { readonly at: number; readonly run: () => void }

/** A router whose only peer gives the outcomes in turn; without outcomes it has no owner. */
function routerWith(
  outcomes: (PeerOutcome | Promise<PeerOutcome>)[],
  eventForm: EventForm = presentForm,
) {
  let time = 0
  let timers: Timer[] = []
  const frames: { readonly count: number; readonly msLeft: number | null }[] = []
  const routes = new RouteTable()
  if (outcomes.length > 0) routes.setOwner(0, { nodeId: 'a', epoch: 1 })
  const router = new Router({
    routes,
    local: () => null,
    peer: () => ({
      isConnected: true,
      sendAll: (_shard, _kind, commands, msLeft) => {
        frames.push({ count: commands.length, msLeft })
        return commands.map(() => {
          const outcome = outcomes.shift()
          return outcome ? Promise.resolve(outcome as never) : new Promise(() => {})
        })
      },
    }),
    orderOf: (_shard, operatorId, orderSerial) =>
      Promise.resolve({ id: `${operatorId} ${orderSerial}` } as never),
    settlementOf: () => Promise.resolve(null),
    eventForm: () => eventForm,
    now: () => time,
    setTimer: (run, ms) => timers.push({ at: time + ms, run }),
    metrics: { routed() {}, held() {}, routeSeconds() {} },
  })
  const pass = async (ms: number) => {
    for (const end = time + ms; time < end; time += 50) {
      const due = timers.filter(({ at }) => at <= time)
      timers = timers.filter(({ at }) => at > time)
      for (const { run } of due) run()
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  return { router, routes, frames, pass, ...router.shard(0) }
}

const place = (operatorId: string, transactionId: string | null = null) =>
  ({ operatorId, transactionId }) as PlaceOrder
const answered = { kind: 'ANSWERED', result: { isAccepted: true, answer: null } } as const
const cancel = { operatorId: 'x', orderSerial: 7 as never }

/** How many of the answers are refused at once. */
async function countRefused(answers: readonly Promise<unknown>[]): Promise<number> {
  let refused = 0
  for (const answer of answers) answer.catch(() => (refused += 1))
  await new Promise((resolve) => setImmediate(resolve))
  return refused
}

test('a held command is sent to the owner that appears, or refused after 2 s', async () => {
  const early = routerWith([])
  const refused = assert.rejects(early.submit('place', place('x')), Unavailable)
  await early.pass(2_100)
  await refused

  const { submit, routes, pass, frames } = routerWith([])
  void submit('place', place('x'))
  await pass(1_500)
  assert.equal(frames.length, 0)
  routes.setOwner(0, { nodeId: 'a', epoch: 1 })
  assert.equal(frames.length, 1)
})

test('a price band is not sent while a node runs that does not know it', async () => {
  const edit = (maxMove: number | null) => ({
    operatorId: 'x',
    marketSerial: 7 as never,
    changes: { priceBand: maxMove === null ? null : { maxMove, suspendOnBand: false } },
  })
  const earlier = routerWith([answered, answered], 3)
  await assert.rejects(earlier.submit('editMarket', edit(500)), Unavailable)
  assert.equal(earlier.frames.length, 0)
  await earlier.submit('editMarket', edit(null))
  assert.equal(earlier.frames.length, 1)
  const present = routerWith([answered], 4)
  await present.submit('editMarket', edit(500))
  assert.equal(present.frames.length, 1)
})

test('an operator that fills its quarter of the held commands stops no other', async () => {
  const { submit, submitAll } = routerWith([])
  const flood = Array.from({ length: 3_000 }, () => place('x'))
  assert.equal(await countRefused(submitAll('place', flood)), 500)
  assert.equal(await countRefused([submit('place', place('y'))]), 0)
  const cancels = Array.from({ length: 5_001 }, () => cancel)
  assert.equal(await countRefused(submitAll('cancel', cancels)), 1)
})

test('the held commands of all operators are bounded', async () => {
  const { submitAll } = routerWith([])
  const commands = Array.from({ length: 12_000 }, (_, at) => place(`operator ${at % 10}`))
  assert.equal(await countRefused(submitAll('place', commands)), 2_000)
})

test('a repeated cancel that finds its order cancelled is answered with the order', async () => {
  const reject = { code: 'ORDER_CANNOT_CANCEL', status: 'CANCELLED' } as const
  const rejection: PeerOutcome = { kind: 'ANSWERED', result: { isAccepted: false, reject } }
  const repeated = routerWith([{ kind: 'LOST' }, rejection])
  const result = await repeated.submit('cancel', cancel)
  assert.deepEqual(result, { isAccepted: true, answer: { id: 'x 7' } })

  const first = routerWith([rejection])
  assert.equal((await first.submit('cancel', cancel)).isAccepted, false)
})

test('a lost write that could be done twice is unknown at once, and not sent again', async () => {
  for (const kind of [
    'place',
    'changeSets',
    'cancelMany',
    'amend',
    'createMarket',
    'editMarket',
    'manage',
    'retrySettlements',
  ] as const) {
    const { submit, frames } = routerWith([{ kind: 'LOST' }, answered])
    await assert.rejects(submit(kind, place('x') as never), CommitUnknown, kind)
    assert.equal(frames.length, 1, kind)
  }
})

test('a lost command that cannot be done twice is sent again', async () => {
  for (const [kind, transactionId] of [
    ['place', 'key'],
    ['changeSets', 'key'],
    ['acknowledge', null],
    ['cancel', null],
    ['settle', null],
    ['book', null],
  ] as const) {
    const { submit, frames } = routerWith([{ kind: 'LOST' }, answered])
    assert.equal((await submit(kind, place('x', transactionId) as never)).isAccepted, true, kind)
    assert.equal(frames.length, 2, kind)
  }
})

test('a lost write with a transactionId is unknown if its repetition is refused', async () => {
  const { submit } = routerWith([{ kind: 'LOST' }, { kind: 'UNAVAILABLE', message: 'full' }])
  await assert.rejects(submit('place', place('x', 'key')), CommitUnknown)
})

test('a command without an answer ends at its deadline; a settlement has none', async () => {
  const { submit, pass, frames } = routerWith([answered])
  await submit('place', place('x'))
  const write = assert.rejects(submit('place', place('x', 'key')), CommitUnknown)
  const query = assert.rejects(
    submit('prices', { marketSerial: 1 as never, outcomeSerial: null }),
    Unavailable,
  )
  const settled = submit('settle', { operatorId: 'x', marketSerial: 1 as never })
  await pass(10_100)
  await Promise.all([write, query])
  assert.equal(await Promise.race([settled, Promise.resolve('open')]), 'open')
  assert.deepEqual(frames.at(-1), { count: 1, msLeft: null })
})

test('commands that are submitted together share a frame', async () => {
  const { submitAll, frames } = routerWith(Array.from({ length: 5 }, () => answered))
  const first = submitAll('place', [place('x'), place('x'), place('y')])
  await Promise.all(first)
  await Promise.all(submitAll('place', [place('x'), place('y')]))
  assert.deepEqual(
    frames.map(({ count }) => count),
    [3, 2],
  )
})

test('a command that is refused with the name of the owner goes there', async () => {
  const owner = { nodeId: 'b', epoch: 2 }
  const { submit, routes, frames } = routerWith([{ kind: 'NOT_OWNER', owner }, answered])
  assert.equal((await submit('place', place('x'))).isAccepted, true)
  assert.deepEqual([routes.owner(0), frames.length], [owner, 2])
})

test('no command is answered with no answers, and nothing is sent', () => {
  const { submitAll, frames } = routerWith([answered])
  assert.deepEqual(submitAll('place', []), [])
  assert.equal(frames.length, 0)
})

test('a command that a former owner refuses late does not follow later ones', async () => {
  const late = Promise.withResolvers<PeerOutcome>()
  const { submit, routes, pass } = routerWith([answered, late.promise, answered])
  await submit('place', place('x'))
  const overtaken = assert.rejects(submit('place', place('x')), Unavailable)
  routes.setOwner(0, { nodeId: 'b', epoch: 2 })
  const next = submit('place', place('x'))
  await pass(700)
  await next
  late.resolve({ kind: 'NOT_OWNER', owner: null })
  await overtaken
})

test('a route is replaced by a later epoch only, and an epoch that has ended stays ended', () => {
  const routes = new RouteTable()
  const changes: number[] = []
  routes.onChange((shard) => changes.push(shard))
  routes.setOwner(3, { nodeId: 'a', epoch: 5 })
  routes.setOwner(3, { nodeId: 'b', epoch: 4 })
  routes.setOwner(3, { nodeId: 'b', epoch: 5 })
  assert.equal(routes.owner(3)?.nodeId, 'a')
  routes.endEpoch(3, 4)
  assert.equal(routes.owner(3)?.nodeId, 'a')
  routes.endEpoch(3, 5)
  routes.setOwner(3, { nodeId: 'a', epoch: 5 })
  assert.equal(routes.owner(3), null)
  routes.setOwner(3, { nodeId: 'b', epoch: 6 })
  assert.deepEqual(routes.owner(3), { nodeId: 'b', epoch: 6 })
  assert.deepEqual(changes, [3, 3, 3])
})
