// Loaded into the process of the service before it: on SIGUSR2 it throws an exception and rejects a
// promise, which no code of the service can catch.

process.on('SIGUSR2', () => {
  setImmediate(() => {
    throw new Error('a stray exception')
  })
  void Promise.reject(new Error('a stray rejection'))
})
