// The text of rows as CSV.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { decimal, Id, nullable, record, Time, words } from '../schemas/fields.ts'
import { CsvTable } from './csv.ts'

const Row = record('Row', {
  id: Id,
  name: Type.String(),
  note: nullable(Type.String()),
  side: words(['BUY', 'SELL']),
  profit: decimal('-5'),
  count: Type.Integer(),
  isOpen: Type.Boolean(),
  at: nullable(Time),
  parts: Type.Array(Type.Object({ name: Type.String() })),
  more: Type.Optional(Type.Object({})),
})
const table = new CsvTable(Row)
const id = '019a8a30-1c00-7000-8000-000000000001'
const row = {
  id,
  name: 'ann',
  note: null,
  side: 'BUY',
  profit: '-5.25',
  count: -3,
  isOpen: true,
  at: '2026-01-01T00:00:00.000Z',
  parts: [{ name: 'a "b"' }],
}

test('a line has the fields of the schema in its order, and null as nothing', () => {
  assert.equal(table.header, 'id,name,note,side,profit,count,isOpen,at,parts,more\r\n')
  const parts = '"[{""name"":""a \\""b\\""""}]"'
  const line = `${id},ann,,BUY,-5.25,-3,true,2026-01-01T00:00:00.000Z,${parts},\r\n`
  assert.equal(table.linesOf([{ ...row, unknown: 1 }]), line)
  assert.equal(table.linesOf([row, row]), line + line)
})

test('a text is quoted where it has to be, and an empty one is not null', () => {
  const cell = (name: string) => nameIn(table.linesOf([{ ...row, name }]))
  assert.equal(cell(''), '""')
  assert.equal(cell('a, b'), '"a, b"')
  assert.equal(cell('a "b"'), '"a ""b"""')
  assert.equal(cell('a\r\nb'), '"a\r\nb"')
  assert.equal(cell('Größe 雨'), 'Größe 雨')
})

test('a text that a spreadsheet would run is defused, and a negative number is not', () => {
  for (const name of ['=1+1', '+1', '-1', '@A1', '\tx', '＝1', '＋1', '－1', '＠A1']) {
    assert.equal(nameIn(table.linesOf([{ ...row, name }])), `'${name}`)
  }
  assert.equal(nameIn(table.linesOf([{ ...row, name: '\r=1' }])), '"\'\r=1"')
  assert.equal(nameIn(table.linesOf([{ ...row, name: '\n=1' }])), '"\'\n=1"')
  assert.equal(nameIn(table.linesOf([{ ...row, name: '=A1&"x"' }])), '"\'=A1&""x"""')
  assert.equal(nameIn(table.linesOf([{ ...row, name: 'a=1' }])), 'a=1')
  assert.match(table.linesOf([row]), /,BUY,-5\.25,-3,/)
})

function nameIn(line: string): string {
  return line.slice(id.length + 1, line.indexOf(',,BUY,'))
}
