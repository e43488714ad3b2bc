// Reads the files of pages, such as the built console, into memory, each also compressed.

import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'

export type Page = {
  readonly type: string
  readonly bytes: Buffer
  readonly zipped: Buffer
  readonly etag: string
  /** Its name changes with its content, so that clients may cache it forever. */
  readonly isForever: boolean
}

/** By path within the folder, with forward slashes. */
export type Pages = ReadonlyMap<string, Page>

const typeOf: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
}

const compress = promisify(gzip)
const extract = promisify(gunzip)

/** The pages of a folder, read at the first call; null, and read again, until they are built. */
export function pagesOf(folder: string): () => Promise<Pages | null> {
  return readOnce(() => readPages(folder))
}

/**
 * The file at that path, read at the first call. It may be compressed with gzip; the extension of
 * the name determines its content type.
 */
export function pageOf(name: string, path: string): () => Promise<Page> {
  return readOnce(() => readPage(name, path))
}

/**
 * Calls that come while it is read share the reading, as to compress costs much. It is read again
 * only after a failure, or if there was nothing to read.
 */
function readOnce<Read extends Page | Pages | null>(
  read: () => Promise<Read>,
): () => Promise<Read> {
  let reading: Promise<Read> | null = null
  return () => {
    reading ??= read().then(
      (found) => {
        if (found === null) reading = null
        return found
      },
      (error: unknown) => {
        reading = null
        throw error
      },
    )
    return reading
  }
}

/** null if the pages are not built. */
async function readPages(folder: string): Promise<Pages | null> {
  const paths = await filesIn(folder)
  const entries = await Promise.all(
    paths.map(async (path): Promise<[string, Page]> => {
      const name = relative(folder, path).split(sep).join('/')
      return [name, await readPage(name, path)]
    }),
  )
  const pages = new Map(entries)
  return pages.has('index.html') ? pages : null
}

async function filesIn(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    return entries
      .filter((entry) => entry.isFile() && extname(entry.name) in typeOf)
      .map(({ parentPath, name }) => join(parentPath, name))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}

async function readPage(name: string, path: string): Promise<Page> {
  const read = await readFile(path)
  const isZipped = path.endsWith('.gz')
  const bytes = isZipped ? await extract(read) : read
  const digest = createHash('sha256').update(bytes).digest('base64url').slice(0, 22)
  return {
    type: typeOf[extname(name)]!,
    bytes,
    zipped: isZipped ? read : await compress(bytes, { level: 9 }),
    etag: `W/"${digest}"`,
    isForever: name.startsWith('assets/'),
  }
}
