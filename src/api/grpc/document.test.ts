// The page about gRPC matches the proto file. UPDATE_DOCS=1 rewrites the page.

import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { test } from 'node:test'
import { fromBinary } from '@bufbuild/protobuf'
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt'
import { protoTables } from '../../../test/support/grpc/proto-tables.ts'
import { fillBlocks } from '../../../test/support/http/document-blocks.ts'
import { errorTable } from '../errors.ts'

const page = new URL('../../../docs/protocol/grpc.md', import.meta.url)
const descriptor = new URL('generated/outcry.binpb', import.meta.url)

test('the page shows every service, message and enum of the proto file', async () => {
  const { file } = fromBinary(FileDescriptorSetSchema, await readFile(descriptor))
  const tables = protoTables(file[0]!)
  const text = await readFile(page, 'utf8')
  const { filled, names } = fillBlocks(text, tables)
  if (process.env.UPDATE_DOCS === '1') await writeFile(page, filled)
  else assert.equal(text, filled)
  assert.deepEqual(names.sort(), [...tables.keys()].sort())
})

test('every error code that the page names exists', async () => {
  const text = await readFile(page, 'utf8')
  const named = text.match(/`[A-Z]+(?:_[A-Z]+)+`/g) ?? []
  const codes = named.map((each) => each.slice(1, -1)).filter((each) => !isOfProto(each))
  for (const code of codes) assert.ok(code in errorTable, code)
})

/** A status of gRPC, a choice, or a setting. */
function isOfProto(word: string): boolean {
  const others =
    /^(?:SIDE|ORDER_(?:TYPE|STATUS)|TIME_IN_FORCE|SELF_TRADE|TRADE_KIND|PARTY_ROLE|DEAD_MAN|GRPC)_/
  const statuses = [
    ...['INVALID_ARGUMENT', 'PERMISSION_DENIED', 'NOT_FOUND', 'FAILED_PRECONDITION'],
    ...['ALREADY_EXISTS', 'RESOURCE_EXHAUSTED', 'DEADLINE_EXCEEDED', 'NOT_SERVING'],
  ]
  return others.test(word) || statuses.includes(word)
}
