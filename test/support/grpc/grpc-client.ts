// A client of the gRPC interface that is made from the proto files alone, not from the generated
// code of the service.

import assert from 'node:assert/strict'
import { connect } from 'node:http2'
import { fileURLToPath } from 'node:url'
import {
  Client,
  type ClientDuplexStream,
  type ClientReadableStream,
  credentials,
  Metadata,
  type ServiceError,
  type StatusObject,
  status,
} from '@grpc/grpc-js'
import { loadSync, type MethodDefinition } from '@grpc/proto-loader'
import { protoPath as healthProto } from 'grpc-health-check'
import type { Json, Service } from '../process/outcry-process.ts'

const protoFolder = fileURLToPath(new URL('../../../proto', import.meta.url))
const reflectionFolder = fileURLToPath(
  new URL('../proto/grpc/reflection/v1', import.meta.resolve('@grpc/reflection')),
)
const files = ['outcry/v1/outcry.proto', healthProto, 'reflection.proto']
const definitions = loadSync(files, {
  includeDirs: [protoFolder, reflectionFolder],
  keepCase: true,
  enums: String,
  longs: Number,
  oneofs: true,
})

export type CallOptions = {
  readonly key?: string | null
  readonly traceparent?: string
  readonly deadline?: number
  readonly signal?: AbortSignal
}

export type Answered = { readonly data: Json; readonly metadata: Metadata }

/** A call that failed, as the client sees it. */
export type Failure = {
  readonly status: string
  readonly code: string | undefined
  readonly message: string
  readonly trailers: Metadata
}

export class GrpcClient {
  readonly #client: Client
  readonly #key: string | null

  constructor(address: string, key: string | null = null) {
    this.#key = key
    this.#client = new Client(address, credentials.createInsecure())
  }

  static of(service: Service, key: string | null = null): GrpcClient {
    return new GrpcClient(grpcAddressOf(service), key)
  }

  close(): void {
    this.#client.close()
  }

  /** Named as in OrderService/PlaceOrder. */
  request(name: string, request: object, options: CallOptions = {}): Promise<Answered> {
    const { path, requestSerialize, responseDeserialize } = methodOf(name)
    return new Promise((resolve, reject) => {
      let metadata = new Metadata()
      const call = this.#client.makeUnaryRequest(
        path,
        requestSerialize,
        responseDeserialize,
        request,
        this.#metadata(options),
        timing(options),
        (error: ServiceError | null, data?: Json) => {
          if (error === null) resolve({ data, metadata })
          else reject(error)
        },
      )
      call.on('metadata', (received: Metadata) => {
        metadata = received
      })
      options.signal?.addEventListener('abort', () => call.cancel())
    })
  }

  async data(name: string, request: object, options: CallOptions = {}): Promise<Json> {
    return (await this.request(name, request, options)).data
  }

  /** The failure of a call that must fail. */
  async failure(name: string, request: object, options: CallOptions = {}): Promise<Failure> {
    const answer = await this.request(name, request, options).catch((error: ServiceError) => error)
    assert.ok(answer instanceof Error, `${name} was answered`)
    return failureOf(answer)
  }

  duplex(name: string, options: CallOptions = {}): ClientDuplexStream<object, Json> {
    const { path, requestSerialize, responseDeserialize } = methodOf(name)
    const metadata = this.#metadata(options)
    return this.#client.makeBidiStreamRequest(
      path,
      requestSerialize,
      responseDeserialize,
      metadata,
      timing(options),
    )
  }

  stream(name: string, request: object, options: CallOptions = {}): ClientReadableStream<Json> {
    const { path, requestSerialize, responseDeserialize } = methodOf(name)
    return this.#client.makeServerStreamRequest(
      path,
      requestSerialize,
      responseDeserialize,
      request,
      this.#metadata(options),
      timing(options),
    )
  }

  #metadata({ key = this.#key, traceparent }: CallOptions): Metadata {
    const metadata = new Metadata()
    if (key !== null) metadata.set('x-api-key', key)
    if (traceparent !== undefined) metadata.set('traceparent', traceparent)
    return metadata
  }
}

export function grpcAddressOf(service: Service): string {
  const address = /gRPC\s+(\S+)/.exec(service.printed())?.[1]
  assert.ok(address !== undefined, service.printed())
  return address
}

export function failureOf(error: StatusObject | ServiceError): Failure {
  const [code] = error.metadata.get('error-code')
  return {
    status: status[error.code],
    code: code === undefined ? undefined : String(code),
    message: error.details,
    trailers: error.metadata,
  }
}

function timing({ deadline }: CallOptions): { deadline?: number } {
  return deadline === undefined ? {} : { deadline: Date.now() + deadline }
}

/** Every method that the proto files have, as in OrderService/PlaceOrder. */
export const methodNames = Object.entries(definitions)
  .filter(([name, definition]) => name.startsWith('outcry.') && !('format' in definition))
  .flatMap(([name, methods]) =>
    Object.keys(methods).map((method) => `${name.replace('outcry.v1.', '')}/${method}`),
  )

function methodOf(name: string): MethodDefinition<object, object> {
  const [service = '', method = ''] = name.split('/')
  const full = service.includes('.') ? service : `outcry.v1.${service}`
  const definition = definitions[full]
  assert.ok(definition !== undefined && !('format' in definition), `no service ${full}`)
  const found = Object.entries(definition).find(([each]) => each === method)?.[1]
  assert.ok(found !== undefined, `no method ${name}`)
  return found
}

/** By default a LIMIT order of 10 shares at 0.5. */
export function orderMessage(market: Json, side: 'BUY' | 'SELL', more: object = {}): Json {
  return {
    market_id: market.id,
    outcome_id: market.outcomes[0].id,
    player_id: 'ann',
    side: `SIDE_${side}`,
    type: 'ORDER_TYPE_LIMIT',
    shares: '10',
    price: '0.5',
    ...more,
  }
}

type Received = ClientDuplexStream<object, Json> | ClientReadableStream<Json>

/** What a stream sends, and how it ends. */
export class Reader {
  readonly messages: Json[] = []
  readonly ended: Promise<Failure>
  #onMessage: (() => void) | null = null

  constructor(stream: Received) {
    stream.on('data', (message: Json) => {
      this.messages.push(message)
      this.#onMessage?.()
    })
    this.ended = new Promise((resolve) => {
      stream.on('error', () => {})
      stream.on('status', (how: StatusObject) => {
        resolve(failureOf(how))
        this.#onMessage?.()
      })
    })
  }

  /** Waits until what was received is enough. */
  async until(isEnough: (messages: readonly Json[]) => boolean): Promise<readonly Json[]> {
    while (!isEnough(this.messages)) {
      await new Promise<void>((resolve) => {
        this.#onMessage = resolve
      })
    }
    return this.messages
  }

  /** Of PlaceOrders: all results so far. */
  get results(): Json[] {
    return this.messages.flatMap(({ results }) => results ?? [])
  }
}

/** A message as it is on the wire, for tests that use HTTP/2 directly. */
export function framed(name: string, request: object): Buffer {
  return framedBytes(methodOf(name).requestSerialize(request))
}

export function framedBytes(bytes: Buffer): Buffer {
  const head = Buffer.alloc(5)
  head.writeUInt32BE(bytes.length, 1)
  return Buffer.concat([head, bytes])
}

/** Opens a call on its own connection; messages are read only on demand. */
export function bareCall(service: Service, name: string, key?: string) {
  const session = connect(`http://${grpcAddressOf(service)}`)
  session.on('error', () => {})
  const stream = session.request({
    ':method': 'POST',
    ':path': `/outcry.v1.${name}`,
    'content-type': 'application/grpc',
    te: 'trailers',
    ...(key === undefined ? {} : { 'x-api-key': key }),
  })
  stream.on('error', () => {})
  return { session, stream }
}

/** The messages in the bytes of an answer; one that is not whole is left out. */
export function unframed(name: string, bytes: Buffer): Json[] {
  const messages: Json[] = []
  for (let at = 0; at + 5 <= bytes.length; ) {
    const end = at + 5 + bytes.readUInt32BE(at + 1)
    if (end > bytes.length) break
    messages.push(methodOf(name).responseDeserialize(bytes.subarray(at + 5, end)))
    at = end
  }
  return messages
}
