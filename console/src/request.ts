// Asks the service over REST. An answer is its data; a refusal is thrown with its code.

import { type Session, session, signOut } from './session.ts'

export class Refused extends Error {
  readonly code: string
  /** Of HTTP; 0 where no answer came. */
  readonly status: number

  constructor(code: string, message: string, status: number) {
    super(message)
    this.code = code
    this.status = status
  }
}

type Envelope<Data> =
  | { readonly success: true; readonly data: Data }
  | { readonly success: false; readonly error: { readonly code: string; readonly message: string } }

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

export function get<Data>(path: string): Promise<Data> {
  return ask<Data>('GET', path)
}

export function post<Data>(path: string, body: object = {}): Promise<Data> {
  return ask<Data>('POST', path, body)
}

export function patch<Data>(path: string, body: object): Promise<Data> {
  return ask<Data>('PATCH', path, body)
}

export function remove<Data>(path: string): Promise<Data> {
  return ask<Data>('DELETE', path)
}

async function ask<Data>(method: Method, path: string, body?: object): Promise<Data> {
  const as = session.value
  try {
    return await askAs<Data>(as, method, path, body)
  } catch (error) {
    const isOver = error instanceof Refused && error.status === 401
    if (isOver && as !== null && session.value === as) {
      signOut('This key is no longer accepted: it was revoked or has expired. Sign in again.')
    }
    throw error
  }
}

/** With a key that nobody has signed in with yet, too. */
export async function askAs<Data>(
  as: Session | null,
  method: Method,
  path: string,
  body?: object,
): Promise<Data> {
  const headers: Record<string, string> = {}
  if (as !== null) headers[as.kind === 'admin' ? 'x-admin-key' : 'x-api-key'] = as.key
  if (body !== undefined) headers['content-type'] = 'application/json'
  const response = await send(path, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const envelope = await read<Data>(response)
  if (envelope.success) return envelope.data
  throw new Refused(envelope.error.code, envelope.error.message, response.status)
}

async function send(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(`/api/v1${path}`, { ...init, cache: 'no-store' })
  } catch {
    throw new Refused('NO_ANSWER', 'The exchange could not be reached.', 0)
  }
}

async function read<Data>(response: Response): Promise<Envelope<Data>> {
  try {
    return await response.json()
  } catch {
    throw new Refused('NO_ANSWER', 'The answer could not be read.', response.status)
  }
}

/** `{ a: 1, b: undefined }` as `?a=1`. */
export function query(fields: Readonly<Record<string, string | number | undefined>>): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined && value !== '') search.set(name, String(value))
  }
  const text = search.toString()
  return text === '' ? '' : `?${text}`
}

/** A key under which a request can be sent again without happening twice. */
export function newTransactionId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return `console-${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
