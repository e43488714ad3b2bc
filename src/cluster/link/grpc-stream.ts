// The gRPC service of the link: `outcry.cluster.v1.Link/Connect`, a stream of frames both ways. A
// frame is bytes without a message around them; only nodes of one cluster use it, so it has no
// proto file.

import { isIP } from 'node:net'
import {
  type ChannelOptions,
  type ClientDuplexStream,
  logVerbosity,
  type ServerDuplexStream,
  type ServiceDefinition,
  setLogVerbosity,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js'

const identity = (frame: Buffer) => frame

const connect = {
  path: '/outcry.cluster.v1.Link/Connect',
  requestStream: true,
  responseStream: true,
  requestSerialize: identity,
  requestDeserialize: identity,
  responseSerialize: identity,
  responseDeserialize: identity,
} as const

export const linkService = { connect } satisfies ServiceDefinition<UntypedServiceImplementation>

export type ClientCall = ClientDuplexStream<Buffer, Buffer>
export type ServerCall = ServerDuplexStream<Buffer, Buffer>

/** More than any frame has: event records are dropped at half of it. */
const frameBytesMax = 16 * 1024 * 1024

const common: ChannelOptions = {
  'grpc.max_receive_message_length': frameBytesMax,
  'grpc.max_send_message_length': frameBytesMax,
  // A frame does not wait for a round trip in the middle.
  'grpc-node.flow_control_window': 1024 * 1024,
}

const clientOptions: ChannelOptions = {
  ...common,
  // A client would share its connection with a closed one that has not given up yet.
  'grpc.use_local_subchannel_pool': 1,
  'grpc.enable_http_proxy': 0,
  // The link reconnects by itself, with a new client.
  'grpc.enable_retries': 0,
  'grpc.service_config_disable_resolution': 1,
}

/** The IP address in an address; null for a name or a path. */
export function ipAddressOf(address: string): string | null {
  const host = address.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1')
  return isIP(host) === 0 ? null : host
}

/** TLS allows no IP address as the name of a server, and the library would send it as one. */
export function clientOptionsFor(address: string): ChannelOptions {
  if (ipAddressOf(address) === null) return clientOptions
  return { ...clientOptions, 'grpc.ssl_target_name_override': 'node.invalid' }
}

export const serverOptions: ChannelOptions = {
  ...common,
  'grpc.max_concurrent_streams': 4,
  // Closes the connection of a frozen caller, whose stream cannot be ended over it.
  'grpc.keepalive_time_ms': 5_000,
  'grpc.keepalive_timeout_ms': 2_000,
}

/** The library would print to the console; what matters arrives as an error or a status. */
export function silenceLibrary(): void {
  setLogVerbosity(logVerbosity.NONE)
}

/** PEM files of this node; the CA signs the certificates of all nodes. */
export type LinkTls = { readonly cert: Buffer; readonly key: Buffer; readonly ca: Buffer }
