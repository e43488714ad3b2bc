// Keys that are kept beside the database, in the data folder: made at the first start, read at
// every later one, readable by the owner alone.

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { chmod, link, mkdir, open, readFile, rename, stat, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isKeyText, newKeyText } from './key-text.ts'
import { secretKeyLength } from './secrets-key.ts'

/** One line: which file, and what is wrong with it. */
export class SecretFileError extends Error {
  override readonly name = 'SecretFileError'
}

type SecretFile = {
  readonly name: string
  readonly make: () => string
  readonly isWellFormed: (text: string) => boolean
  readonly form: string
}

const adminFile: SecretFile = {
  name: 'admin.key',
  make: () => newKeyText('admin'),
  isWellFormed: (text) => isKeyText('admin', text),
  form: 'a key that begins with oc_admin_; delete the file to have a new one made',
}

const secretsFile: SecretFile = {
  name: 'secrets.key',
  make: () => randomBytes(secretKeyLength).toString('hex'),
  isWellFormed: (text) => /^[0-9a-f]{64}$/.test(text),
  form: '64 hexadecimal digits; bring it back from a copy, for without it no API key works',
}

/** The key of the administrator, and whether it was made just now. */
export type KeptSecret = { readonly text: string; readonly path: string; readonly isNew: boolean }

export function readAdminKey(dataDir: string): Promise<KeptSecret> {
  return readOrMake(dataDir, adminFile)
}

/** The key that webhook secrets are sealed with, in hexadecimal digits. */
export function readSecretsKey(dataDir: string): Promise<KeptSecret> {
  return readOrMake(dataDir, secretsFile)
}

/**
 * What is stored was made with another secrets key: why, in one line. One that was made just now is
 * taken back, so that the right one finds its place free. null where the key is a setting.
 */
export async function wrongSecretsKey(kept: KeptSecret | null): Promise<SecretFileError> {
  if (kept?.isNew === true) await unlink(kept.path)
  const name = kept?.path ?? 'OUTCRY_SECRETS_KEY'
  const fault = kept?.isNew === true ? 'is missing' : 'is not the key they were made with'
  const need = 'API keys and webhook secrets are stored that need it'
  const remedy = kept === null ? 'set the right one' : 'bring it back, or set OUTCRY_SECRETS_KEY'
  return new SecretFileError(`${name} ${fault}. ${need}: ${remedy}.`)
}

/** The bytes of a secrets key, from a file or from the environment. */
export function secretKeyOf(hex: string): Uint8Array {
  return Uint8Array.from(Buffer.from(hex, 'hex'))
}

/** Takes as long for a text that is nearly the key as for any other. */
export function adminCheck(adminKey: string): (given: string) => boolean {
  const digestOf = (text: string) => createHash('sha256').update(text).digest()
  const expected = digestOf(adminKey)
  return (given) => timingSafeEqual(digestOf(given), expected)
}

async function readOrMake(dataDir: string, file: SecretFile): Promise<KeptSecret> {
  const path = join(dataDir, file.name)
  const isNew = (await read(path)) === null && (await keepFirst(path, `${file.make()}\n`))
  // Read back even when new: what counts is what the next start will find.
  const text = (await read(path))?.trim() ?? ''
  if (!file.isWellFormed(text)) {
    throw new SecretFileError(`${path} is damaged; it takes ${file.form}.`)
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
    throw new SecretFileError(`${path} cannot be read and kept to its owner.`, { cause })
  }
}

/**
 * Whole or not at all, also in a power cut. Whether this one was kept: where two start at once,
 * the first wins.
 */
async function keepFirst(path: string, text: string): Promise<boolean> {
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
    const isFirst = await nameFirst(temporary, path)
    await syncFolder(dirname(path))
    return isFirst
  } catch (cause) {
    throw new SecretFileError(`${path} cannot be written.`, { cause })
  } finally {
    await unlink(temporary).catch(() => undefined)
  }
}

/** A link, unlike a rename, does not replace what is there; some file systems have none. */
async function nameFirst(temporary: string, path: string): Promise<boolean> {
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

/** The name of a new file is durable once its folder is. Windows does that by itself. */
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
