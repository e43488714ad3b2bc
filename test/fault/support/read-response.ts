// Reads a response to its end without keeping it, and prints its length in bytes:
// read-response.ts METHOD URL KEY.

import assert from 'node:assert/strict'

const [, , method = 'GET', url = '', key = ''] = process.argv
const response = await fetch(url, { method, headers: { 'x-api-key': key } })
assert.equal(response.status, 200)
let bytes = 0
for await (const piece of response.body!) bytes += piece.length
console.log(bytes)
