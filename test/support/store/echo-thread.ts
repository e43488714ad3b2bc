// A thread that answers with what it was called with, or with a value that cannot be sent.

import { serve } from '../../../src/store/thread.ts'

const calls = {
  echo: (value: number) => value,
  unsendable: () => () => undefined,
  close: () => undefined,
}

serve(calls, () => ({ isUnavailable: false, isFull: false, isFatal: false }))
