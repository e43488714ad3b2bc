// The admin key and the secrets key in files of the data folder: created at the first start, read
// at later ones, and readable by their owner only.

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { chmod, link, mkdir, open, readFile, rename, stat, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isKeyText, newKeyText } from './key-text.ts'
import { secretKeyLength } from './secrets-key.ts'

/** Its message is one line: which file, and what is wrong with it. */
export class KeyFileError extends Error {
  override readonly name = 'SecretFileError'
}

type KeyFileKind = {
  readonly name: string
  readonly generate: () => string
  readonly isValid: (text: string) => boolean
  /** Completes the sentence "expected ...". */
  readonly expected: string
}

const adminFile: KeyFileKind = {
  name: 'admin.key',
  generate: () => newKeyText('admin'),
  isValid: (text) => isKeyText('admin', text),
  expected: 'a key that starts with oc_admin_. Delete the file to get a new key',
}

const secretsFile: KeyFileKind = {
  name: 'secrets.key',
  generate: () => randomBytes(secretKeyLength).toString('hex'),
  isValid: (text) => /^[0-9a-f]{64}$/.test(text),
  expected: '64 hexadecimal digits. Restore it from a backup: API keys do not work without it',
}

/** The key in a file, and whether this start has created the file. */
export type KeyFile = { readonly text: string; readonly path: string; readonly isNew: boolean }

export function readAdminKey(dataDir: string): Promise<KeyFile> {
  return readOrCreate(dataDir, adminFile)
}

/** The secrets key, in hexadecimal digits. */
export function readSecretsKey(dataDir: string): Promise<KeyFile> {
  return readOrCreate(dataDir, secretsFile)
}

/**
 * The error for a secrets key that does not match the database. `file` is null if the key was
 * set in the environment. A file that this start has created is deleted again, so that the
 * operator can restore the right one.
 */
export async function wrongSecretsKey(file: KeyFile | null): Promise<KeyFileError> {
  const expected = 'the key with which the stored API keys and webhook secrets were created'
  if (file === null) {
    return new KeyFileError(
      `OUTCRY_SECRETS_KEY does not match the database: set it to ${expected}.`,
    )
  }
  if (file.isNew) await unlink(file.path)
  const problem = file.isNew ? 'is missing' : 'does not match the database'
  const remedy = `restore the file, or set OUTCRY_SECRETS_KEY, with ${expected}`
  return new KeyFileError(`${file.path} ${problem}: ${remedy}.`)
}

/** The bytes of a secrets key. */
export function secretKeyOf(hex: string): Uint8Array {
  return Uint8Array.from(Buffer.from(hex, 'hex'))
}

/** Compares in constant time. */
export function isSameKey(key: string): (given: string) => boolean {
  const digestOf = (text: string) => createHash('sha256').update(text).digest()
  const expected = digestOf(key)
  return (given) => timingSafeEqual(digestOf(given), expected)
}

async function readOrCreate(dataDir: string, kind: KeyFileKind): Promise<KeyFile> {
  const path = join(dataDir, kind.name)
  const isNew = (await read(path)) === null && (await createIfAbsent(path, `${kind.generate()}\n`))
  // Read back even if it is new: the next start must find the same key.
  const text = (await read(path))?.trim() ?? ''
  if (!kind.isValid(text)) {
    throw new KeyFileError(`${path} is damaged: expected ${kind.expected}.`)
  }
  return { text, path, isNew }
}

async function read(path: string): Promise<string | null> {
  try {
    const { mode } = await stat(path)
    const isOpenToOthers = process.platform !== 'win32' && (mode & 0o077) !== 0
    if (isOpenToOthers) await chmod(path, 0o600)
    return await readFile(path, 'utf8')
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return null
    throw new KeyFileError(`${path} cannot be read, or its mode cannot be set to 0600.`, { cause })
  }
}

/**
 * Writes the file completely or not at all, also in a power failure. Returns whether this process
 * created it: if two processes start at the same time, the first wins.
 */
async function createIfAbsent(path: string, text: string): Promise<boolean> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    const file = await open(temporary, 'wx', 0o600)
    try {
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    const isFirst = await linkIfAbsent(temporary, path)
    await syncFolder(dirname(path))
    return isFirst
  } catch (cause) {
    throw new KeyFileError(`${path} cannot be written.`, { cause })
  } finally {
    await unlink(temporary).catch(() => undefined)
  }
}

/** A link, unlike a rename, never replaces a file; some file systems do not support links. */
async function linkIfAbsent(temporary: string, path: string): Promise<boolean> {
  try {
    await link(temporary, path)
    return true
  } catch (error) {
    const code = codeOf(error)
    if (code === 'EEXIST') return false
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'ENOSYS') throw error
    await rename(temporary, path)
    return true
  }
}

/** Makes the name of a new file durable. Windows does that by itself. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
