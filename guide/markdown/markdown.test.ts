// The Markdown of the documents becomes HTML, and what is not understood is an error.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MarkdownError, parse } from './blocks.ts'
import { plainText, renderInline } from './inline.ts'
import { headingsOf, renderDocument } from './render.ts'

function inline(text: string): string {
  const targets = new Map([['far', 'far.md']])
  return renderInline(text, { targets, linkTo: (href) => ({ href }) })
}

function html(text: string): string {
  return renderDocument(parse(text), (href) => ({ href }))
}

for (const [text, expected] of [
  ['a `b<c>` d', 'a <code>b&lt;c&gt;</code> d'],
  ['`` a`b ``', '<code>a`b</code>'],
  ['**bold** and *slanted*', '<strong>bold</strong> and <em>slanted</em>'],
  ['2 * 3 * 4', '2 * 3 * 4'],
  ['[a `b`](c.md#d)', '<a href="c.md#d">a <code>b</code></a>'],
  ['[text][far] and [far]', '<a href="far.md">text</a> and <a href="far.md">far</a>'],
  ['from [0, 1) or [x]', 'from [0, 1) or [x]'],
  ['\\*not\\* \\`code\\`', '*not* `code`'],
  ['a < b & "c"', 'a &lt; b &amp; &quot;c&quot;'],
  ['![a "b"](c.png)', '<img src="c.png" alt="a &quot;b&quot;">'],
  ['[x](a"onclick=b)', '<a href="a&quot;onclick=b">x</a>'],
  ['snake_case_name', 'snake_case_name'],
] as const) {
  test(`inline: ${text}`, () => {
    assert.equal(inline(text), expected)
  })
}

test('a link to a file that is only in the source is shown as text, with its path', () => {
  const linkTo = () => ({ sourcePath: 'test/a.ts' })
  const shown = renderInline('[kills](../test/a.ts)', { targets: new Map(), linkTo })
  assert.equal(shown, '<span class="source" title="test/a.ts">kills</span>')
})

test('blocks: paragraphs, lists, code, tables, comments and link targets', () => {
  const text = [
    '# Title',
    '<!-- made: x -->',
    'One line',
    'and another',
    '- item',
    '  continued',
    '',
    '- second',
    '',
    '1. first',
    '```sh',
    'a <b>',
    '',
    '# no heading',
    '```',
    '| a | |',
    '|---|---|',
    '| `x\\|y` | z |',
    '',
    '[far]: far.md',
  ].join('\n')
  assert.equal(
    html(text),
    [
      '<h1 id="title">Title</h1>',
      '<p>One line\nand another</p>',
      '<ul>\n<li>item\ncontinued</li>\n<li>second</li>\n</ul>',
      '<ol>\n<li>first</li>\n</ol>',
      '<pre class="code" tabindex="0" role="group" aria-label="Example, sh"><code>a &lt;b&gt;\n\n' +
        '# no heading</code></pre>',
      '<div class="table" tabindex="0" role="group" aria-label="Table: Title"><table>' +
        '<thead><tr><th scope="col">a</th><td></td></tr></thead>\n' +
        '<tbody><tr><td><code>x|y</code></td><td>z</td></tr></tbody></table></div>',
    ].join('\n'),
  )
})

test('headings have the ids that GitHub gives them', () => {
  const { blocks } = parse('# `GET` a/b\n## A, b & c\n## A, b & c\n### Ünï_code 1.2\n')
  assert.deepEqual(
    headingsOf(blocks).map(({ id }) => id),
    ['get-ab', 'a-b--c', 'a-b--c-1', 'ünï_code-12'],
  )
})

for (const [what, text, message] of [
  ['a quotation', 'a\n\n> b', /^line 3: not understood/],
  ['HTML', '<b>x</b>', /^line 1: not understood/],
  ['an indented block', '    code', /^line 1: not understood/],
  ['a list within a list', '- a\n  - b', /^line 2: an item may only contain text/],
  ['code without an end', 'a\n```\nb', /^line 2: the block of code has no end/],
  ['a table without its second line', '| a |\n| b |', /a table must be/],
  ['a row with a cell too many', '| a |\n|---|\n| b | c |', /a row of 2 cells/],
] as const) {
  test(`${what} is an error that names its line`, () => {
    assert.throws(
      () => parse(text),
      (error) => {
        assert.ok(error instanceof MarkdownError)
        assert.match(error.message, message)
        return true
      },
    )
  })
}

test('a link to a name without a target is an error', () => {
  assert.throws(() => inline('[text][nowhere]'), /\[text\]\[nowhere\] has no target/)
})

test('plain text is what a reader sees', () => {
  assert.equal(plainText('a **b** [c `d`](e.md) `f`\n\\*g'), 'a b c d f *g')
})
