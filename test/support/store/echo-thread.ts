// A thread that answers with what it was called with, or with a value that cannot be sent.

import { serve } from '../../../src/store/thread.ts'

serve({
  echo: (value: number) => value,
  unsendable: () => () => undefined,
  close: () => undefined,
})
