// What is left to undo if this process ends early, for example by a signal. The steps run in the
// opposite order of their registration: a server ends before its folder is deleted.

const steps: (() => void)[] = []

process.once('exit', () => {
  for (const step of steps.reverse()) {
    try {
      step()
    } catch (fault) {
      console.error(fault)
    }
  }
})

/** The step runs on exit and cannot wait for anything. Returns a function that cancels it. */
export function onExit(step: () => void): () => void {
  steps.push(step)
  return () => {
    const at = steps.indexOf(step)
    if (at >= 0) steps.splice(at, 1)
  }
}
