// A node as the fault tests run it. A defect of the cluster changes a source file while it is
// loaded, so that the product needs no switch for it.

import { registerHooks } from 'node:module'
import { type ClusterDefect, sourceChanges } from './cluster-defects.ts'

const { CLUSTER_DEFECT } = process.env
delete process.env.CLUSTER_DEFECT

if (CLUSTER_DEFECT !== undefined) {
  const { file, from, to } = sourceChanges[CLUSTER_DEFECT as ClusterDefect]
  registerHooks({
    load: (url, context, nextLoad) => {
      const loaded = nextLoad(url, context)
      if (!url.endsWith(file)) return loaded
      const text = String(loaded.source)
      if (!text.includes(from)) throw new Error(`${file} does not contain: ${from}`)
      return { ...loaded, source: text.replace(from, to) }
    },
  })
}
await import('../../fault/support/main-with-defects.ts')
