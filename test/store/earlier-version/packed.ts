// Files of test data, packed: what is asked for in many ways stands there many times, far apart,
// which only a large window sees.

import { readFile, writeFile } from 'node:fs/promises'
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'

export async function pack(path: string, content: string | Buffer): Promise<void> {
  const params = { [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS }
  await writeFile(path, brotliCompressSync(content, { params }))
}

export async function unpack(path: URL): Promise<Buffer> {
  return brotliDecompressSync(await readFile(path))
}
