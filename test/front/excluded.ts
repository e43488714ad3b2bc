// What the flow tests cannot show behind a front end, each with its reason. Nothing else is left
// out.

const mints =
  'a front end reads the outcomes first, and then none of several mints at once may find a ' +
  'full bucket; test/cluster/limits.test.ts has the same for front ends'

/** Whole files, from test/flow on. */
export const excludedFiles: Readonly<Record<string, string>> = {
  'process/file-modes.test.ts': 'tests the files of one process on SQLite',
  'process/help.test.ts': 'starts no service',
  'process/postgres.test.ts': 'chooses its databases itself',
  'process/shards.test.ts': 'tests one process that owns several shards',
  'process/start.test.ts': 'tests the start of one process in a folder of SQLite',
}

/** Single tests, by title. */
export const excludedTests: Readonly<Record<string, string>> = {
  'one wrong row of any kind makes the market unbalanced': 'changes the file of SQLite',
  'what was stored before stays readable; a bad address of an image is null':
    'changes the file of SQLite',
  'a mint costs the outcomes of its market before it is carried out': mints,
  'has no move of a shard that is refused outside of a cluster': 'two nodes are a cluster',
}

/** With front ends of one process on SQLite (--front-ends). */
export const excludedFilesOfFrontEnds: Readonly<Record<string, string>> = {
  'operators/proxies.test.ts': 'each process counts the limits by address for itself',
  'process/help.test.ts': 'starts no service',
  'process/postgres.test.ts': 'chooses its databases itself',
  'process/shards.test.ts': 'chooses its databases itself',
  'process/start.test.ts': 'tests the start of one process',
}

const nextProcess =
  'the next request may reach another process, which learns of the debt 50 ms later'

export const excludedTestsOfFrontEnds: Readonly<Record<string, string>> = {
  'the trades of an order over gRPC are charged afterwards': nextProcess,
  'the trades of an order in a stream are charged afterwards': nextProcess,
  'a mint costs the outcomes of its market before it is carried out': mints,
  'has no move of a shard that is refused outside of a cluster': 'its processes are a cluster',
}

/** The choice of --short, which is part of npm test. */
export const shortFiles = [
  'operators/tenants.test.ts',
  'orders/orders.test.ts',
  'markets/lifecycle.test.ts',
  'holdings/settlements.test.ts',
  'stream/stream.test.ts',
]
