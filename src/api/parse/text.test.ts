// Which texts are accepted: no halves of surrogate pairs, no control characters, and no characters
// that change how the text around them is shown.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isHttpsUrl, isLine, isName, isProse, isUuid } from './text.ts'

const family = '\u{1f469}\u200d\u{1f467}'
const plain = ['', 'Rain?', 'ü ñ 雨 🎲', "O'Neill; --", 'הגשם مطر', 'a\u200fb', family]
const broken = ['a\tb', 'a\nb', 'a\r\nb']
const hostile = ['\u0000', 'a\u0007', '\u001b[31m', '\ud83c', '\udfb2\ud83c']
const misleading = [
  ...['\u007f', '\u0080', 'a\u0085b', '\u009f'],
  ...['\u202a', '\u202b', '\u202c', '\u202d', 'a\u202etxt.exe'],
  ...['\u2066', '\u2067', '\u2068', '\u2069'],
]

test('a name has no control characters, line breaks, bidirectional overrides or isolates', () => {
  for (const text of plain) assert.ok(isName(text), JSON.stringify(text))
  for (const text of [...broken, ...hostile, ...misleading, 'a\u2028b', 'a\u2029b']) {
    assert.ok(!isName(text), JSON.stringify(text))
  }
})

test('prose may have tabs and line breaks, and is like a name otherwise', () => {
  for (const text of [...plain, ...broken, 'a\u2028b'])
    assert.ok(isProse(text), JSON.stringify(text))
  for (const text of [...hostile, ...misleading]) assert.ok(!isProse(text), JSON.stringify(text))
})

test('an id that a client chose has no C0 control characters; others are accepted', () => {
  for (const text of [...plain, ...misleading]) assert.ok(isLine(text), JSON.stringify(text))
  for (const text of [...broken, ...hostile]) assert.ok(!isLine(text), JSON.stringify(text))
})

test('the address of an image is an https URL', () => {
  for (const url of [
    ...['https://example.com/rain.png', 'HTTPS://example.com', 'https://x/i.png?a=1&b=%20#c'],
    ...['https://example.com:8443/a', 'https://[2606:4700::1]/a', 'https://example.com/bücher.png'],
  ]) {
    assert.ok(isHttpsUrl(url), url)
  }
  for (const url of [
    ...['', 'rain.png', '/rain.png', '//example.com/a', 'example.com/a', 'https:example.com/a'],
    ...['https://', 'https:///a', 'https://exa mple.com/', ' https://example.com/a'],
    ...['http://example.com/a', 'javascript:alert(1)', 'JavaScript://example.com/%0aalert(1)'],
    ...['data:image/png;base64,AA', 'file:///etc/passwd', 'blob:https://example.com/1'],
    ...['https://example.com/a b', 'https://example.com/a\n', 'https://example.com/"onload="x'],
    ...['https://example.com/<b>', 'https:\\\\example.com', 'https://example.com/\u202egnp.exe'],
    ...['https://256.1.1.1/', 'https://example.com:99999/', 'https://example.com/\u0085'],
  ]) {
    assert.ok(!isHttpsUrl(url), url)
  }
})

test('a UUID is recognised by its form alone', () => {
  assert.ok(isUuid('00000000-0000-0000-0000-000000000000'))
  assert.ok(isUuid('019B76DA-a800-7000-85e6-211d422cb128'))
  for (const text of ['', 'x', '019b76daa800700085e6211d422cb128']) assert.ok(!isUuid(text))
  assert.ok(!isUuid('019b76da-a800-7000-85e6-211d422cb128\n'))
})
