// The gRPC server: the services, their health, and reflection for those who have no proto files.

import { logVerbosity, Server, ServerCredentials, setLogVerbosity } from '@grpc/grpc-js'
import { HealthImplementation } from 'grpc-health-check'
import { complaintAboutPort } from '../../ops/ports.ts'
import { Calls } from './calls.ts'
import type { GrpcContext } from './context.ts'
import { addMarketData } from './market-data.ts'
import { addOrders } from './orders.ts'
import { reflection } from './reflection.ts'

const services = ['outcry.v1.OrderService', 'outcry.v1.MarketDataService']
/** What health is asked of: the whole, or one of the services. */
const healthNames = ['', ...services]
const healthCheckMs = 500
/** How long a stop waits for calls, and then for connections. */
const drainMs = 5_000
const farewellMs = 500

const options = {
  // Four times what is taken: so far, we can say what is wrong.
  'grpc.max_receive_message_length': 1024 * 1024,
  'grpc.max_concurrent_streams': 256,
  // A client that is gone without a word is noticed.
  'grpc.keepalive_time_ms': 30_000,
  'grpc.keepalive_timeout_ms': 10_000,
}

/** One line for whoever starts the service. */
export class GrpcCannotListen extends Error {
  override readonly name = 'GrpcCannotListen'
}

export class GrpcServer {
  readonly #server = new Server(options)
  readonly #calls: Calls
  readonly #health = new HealthImplementation()
  #isServing: boolean | null = null
  readonly #healthTimer: NodeJS.Timeout

  constructor(context: GrpcContext) {
    // It would print; what matters reaches us as an error or a status.
    setLogVerbosity(logVerbosity.NONE)
    this.#calls = new Calls(context, this.#server)
    addOrders(this.#calls, context)
    addMarketData(this.#calls, context)
    this.#health.addToServer(this.#server)
    reflection().addToServer(this.#server)
    this.#tellHealth(context.isReady())
    this.#healthTimer = setInterval(
      () => this.#tellHealth(context.isReady()),
      healthCheckMs,
    ).unref()
  }

  /** Answers with the port. */
  async listen({ host, port }: { readonly host: string; readonly port: number }): Promise<number> {
    const address = `${host.includes(':') ? `[${host}]` : host}:${port}`
    return new Promise((resolve, reject) => {
      this.#server.bindAsync(address, ServerCredentials.createInsecure(), (error, bound) => {
        if (error === null) return resolve(bound)
        const known = complaintAboutPort(error, port, 'GRPC_PORT')
        reject(new GrpcCannotListen(known ?? `gRPC cannot listen on ${address}: ${error.message}`))
      })
    })
  }

  /** Takes nothing new; what was taken is answered. */
  async stop(): Promise<void> {
    clearInterval(this.#healthTimer)
    this.#tellHealth(false)
    const closed = new Promise<void>((resolve) => this.#server.tryShutdown(() => resolve()))
    await Promise.race([this.#calls.close(), after(drainMs)])
    // Those who watch health, and connections without calls.
    await Promise.race([closed, after(farewellMs)])
    this.#server.forceShutdown()
  }

  // Those who watch hear of each change, and of nothing else.
  #tellHealth(isServing: boolean): void {
    if (isServing === this.#isServing) return
    this.#isServing = isServing
    const status = isServing ? 'SERVING' : 'NOT_SERVING'
    for (const name of healthNames) this.#health.setStatus(name, status)
  }
}

async function after(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms).unref())
}
