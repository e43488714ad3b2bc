// The gRPC server: the services, their health, and reflection for clients without the proto file.

import { logVerbosity, Server, ServerCredentials, setLogVerbosity } from '@grpc/grpc-js'
import { HealthImplementation } from 'grpc-health-check'
import { Calls } from './calls.ts'
import type { GrpcContext } from './context.ts'
import { addDeadMan } from './dead-man.ts'
import { addMarketData } from './market-data.ts'
import { addOrders } from './orders.ts'
import { reflection } from './reflection.ts'

const services = ['outcry.v1.OrderService', 'outcry.v1.MarketDataService']
/** The names that a health check may send; the empty one means the whole server. */
const healthNames = ['', ...services]
const healthCheckMs = 500
/** How long a stop waits for open calls, and then for connections to close. */
const callsDrainMs = 5_000
const connectionsDrainMs = 500

const options = {
  // Four times the accepted size: within it, the service itself refuses with a clear error.
  'grpc.max_receive_message_length': 1024 * 1024,
  'grpc.max_concurrent_streams': 256,
  // Detects a client that disappeared without closing its connection.
  'grpc.keepalive_time_ms': 30_000,
  'grpc.keepalive_timeout_ms': 10_000,
}

export class GrpcServer {
  readonly #server = new Server(options)
  readonly #calls: Calls
  readonly #health = new HealthImplementation()
  readonly #isReady: () => boolean
  #isServing: boolean | null = null
  readonly #healthTimer: NodeJS.Timeout

  constructor(context: GrpcContext) {
    // The library would print to the console; what matters arrives as an error or a status.
    setLogVerbosity(logVerbosity.NONE)
    this.#calls = new Calls(context, this.#server)
    addOrders(this.#calls, context)
    addDeadMan(this.#calls, context)
    addMarketData(this.#calls, context)
    this.#health.addToServer(this.#server)
    reflection().addToServer(this.#server)
    this.#isReady = context.isReady
    this.#healthTimer = setInterval(
      () => this.#reportHealth(this.#isReady()),
      healthCheckMs,
    ).unref()
  }

  /** Returns the port. */
  async listen({ host, port }: { readonly host: string; readonly port: number }): Promise<number> {
    const address = `${host.includes(':') ? `[${host}]` : host}:${port}`
    this.#reportHealth(this.#isReady())
    return new Promise((resolve, reject) => {
      this.#server.bindAsync(address, ServerCredentials.createInsecure(), (error, bound) => {
        if (error === null) resolve(bound)
        else reject(error)
      })
    })
  }

  /** Accepts no new calls; accepted calls are answered. */
  async stop(): Promise<void> {
    clearInterval(this.#healthTimer)
    this.#reportHealth(false)
    const closed = new Promise<void>((resolve) => this.#server.tryShutdown(() => resolve()))
    await Promise.race([this.#calls.close(), after(callsDrainMs)])
    // Health watchers and idle connections keep the server open.
    await Promise.race([closed, after(connectionsDrainMs)])
    this.#server.forceShutdown()
  }

  // Health watchers are notified of changes only.
  #reportHealth(isServing: boolean): void {
    if (isServing === this.#isServing) return
    this.#isServing = isServing
    const status = isServing ? 'SERVING' : 'NOT_SERVING'
    for (const name of healthNames) this.#health.setStatus(name, status)
  }
}

async function after(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms).unref())
}
