// How typed numbers are read.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { numberOf, readNumber } from './typed-number.ts'

test('a number without groups is read with a decimal point or a decimal comma', () => {
  const read: readonly (readonly [string, number | null])[] = [
    ['1000', 1_000],
    [' 0.5 ', 0.5],
    ['0,5', 0.5],
    ['.5', 0.5],
    ['5.', 5],
    ['0,500', 0.5],
    ['0.125', 0.125],
    ['12,50', 12.5],
    ['1,0000', 1],
    ['1000,25', 1_000.25],
    ['1000.125', 1_000.125],
    ['', null],
    ['  ', null],
  ]
  for (const [typed, value] of read) {
    assert.deepEqual(readNumber(typed), { value, fault: null }, typed)
  }
})

test('groups of three are read where only one reading is possible', () => {
  const read: readonly (readonly [string, number])[] = [
    ['1 000', 1_000],
    ['1\u202f000\u202f000,5', 1_000_000.5],
    ['1’000', 1_000],
    ["12'345.5", 12_345.5],
    ['1,000,000', 1_000_000],
    ['1.000.000', 1_000_000],
    ['1,000.50', 1_000.5],
    ['1.000,50', 1_000.5],
    ['1 000,500', 1_000.5],
  ]
  for (const [typed, value] of read) {
    assert.deepEqual(readNumber(typed), { value, fault: null }, typed)
  }
})

test('one separator before three digits can mean both, and is refused with both', () => {
  const sentence = '“1,000” can mean 1000 or 1. Type 1000 or 1.'
  assert.deepEqual(readNumber('1,000'), { value: null, fault: sentence })
  assert.throws(() => numberOf('1,000'), { message: sentence })
  assert.match(readNumber('1.000').fault ?? '', /1000 or 1\./)
  assert.match(readNumber('12,345').fault ?? '', /12345 or 12\.345/)
  assert.deepEqual(readNumber('-5', { isSigned: true }), { value: -5, fault: null })
  // A field with a bound leaves one reading.
  assert.deepEqual(readNumber('1.125', { max: 100 }), { value: 1.125, fault: null })
})

test('what is not a number is refused, never read in part', () => {
  const faulty = [
    '1k',
    '-5',
    '1e3',
    '1,00,000',
    '10 00',
    '1,000,00',
    '1,2.3',
    '0,000,000',
    '.',
    'x',
  ]
  for (const typed of [...faulty, '1,,000', '1 0', '1,000,000,5', '١٠']) {
    assert.match(readNumber(typed).fault ?? typed, /is not a number\. Type it like 1000/, typed)
  }
  assert.match(readNumber('1234567890123456').fault ?? '', /too many digits/)
})
