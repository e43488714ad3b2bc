// A client of the gRPC interface that knows nothing but the proto files: it is made from them, not
// from the code that the service was generated from.

import assert from 'node:assert/strict'
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
import type { Json, Service } from './outcry-process.ts'

const protoFolder = fileURLToPath(new URL('../../proto', import.meta.url))
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
  ask(name: string, request: object, options: CallOptions = {}): Promise<Answered> {
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
    return (await this.ask(name, request, options)).data
  }

  /** Of a call that must fail. */
  async failure(name: string, request: object, options: CallOptions = {}): Promise<Failure> {
    const answer = await this.ask(name, request, options).catch((error: ServiceError) => error)
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

  #metadata({ key = this.#key }: CallOptions): Metadata {
    const metadata = new Metadata()
    if (key !== null) metadata.set('x-api-key', key)
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
