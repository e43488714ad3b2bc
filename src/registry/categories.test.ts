// Categories: owners, who may use and change them, and their order.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { made, newOperator, TestRegistry } from '../../test/support/store/registry.ts'
import type { NewCategory } from './categories.ts'
import { isReject } from './reject.ts'

const sports: NewCategory = {
  name: 'Sports',
  slug: 'sports',
  description: null,
  iconUrl: 'https://example.com/ball.svg',
  sortOrder: 0,
}
const all = { includeGlobal: true, activeOnly: false }

async function withOperators() {
  const tested = new TestRegistry()
  const registry = await tested.open()
  const [ownId, otherId] = [await newOperator(registry), await newOperator(registry, 'otherId')]
  const { categories } = registry
  return { tested, categories, ownId: ownId.operator.id, otherId: otherId.operator.id }
}

describe('a category', () => {
  test('is active when new, and is found by its id', async () => {
    const { tested, categories, ownId } = await withOperators()
    const category = made(await categories.create(ownId, sports))
    const expected = { ...sports, operatorId: ownId, isActive: true, createdAt: tested.now }
    assert.deepEqual(category, { ...expected, id: category.id })
    assert.deepEqual(categories.get(category.id), category)
    assert.deepEqual((await tested.open()).categories.get(category.id), category)
    assert.equal(categories.get('none'), undefined)
  })

  test('can be used by its operator, or by all operators if it is global', async () => {
    const { categories, ownId, otherId } = await withOperators()
    const own = made(await categories.create(ownId, sports))
    const global = made(await categories.create(null, sports))
    assert.ok(categories.isUsableBy(ownId, own.id))
    assert.ok(!categories.isUsableBy(otherId, own.id))
    assert.ok(categories.isUsableBy(ownId, global.id))
    assert.ok(categories.isUsableBy(otherId, global.id))
    assert.ok(!categories.isUsableBy(ownId, 'none'))
  })

  test('has a slug that is unique for its operator', async () => {
    const { categories, ownId, otherId } = await withOperators()
    made(await categories.create(ownId, sports))
    made(await categories.create(otherId, sports))
    made(await categories.create(null, sports))
    for (const owner of [ownId, otherId, null]) {
      const answer = await categories.create(owner, { ...sports, name: 'Again' })
      assert.ok(isReject(answer) && answer.code === 'CATEGORY_DUPLICATE_SLUG')
      assert.match(answer.message, /"sports"/)
    }
  })

  test('is created once if ten concurrent requests have the same slug', async () => {
    const { tested, categories, ownId } = await withOperators()
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => categories.create(ownId, sports)),
    )
    assert.equal(answers.filter((answer) => !isReject(answer)).length, 1)
    assert.equal(tested.store.categories.rows.size, 1)
  })

  const invalid: readonly (readonly [changes: Partial<NewCategory>, message: RegExp])[] = [
    [{ slug: '' }, /^slug: /],
    [{ slug: 'Sports' }, /"Sports" must consist of/],
    [{ slug: 'a b' }, /^slug: /],
    [{ slug: 'a_b' }, /^slug: /],
    [{ slug: 'a\n' }, /^slug: "a\\n" /],
    [{ slug: 'a'.repeat(65) }, /^slug: /],
    [{ name: '' }, /^name: /],
    [{ description: 'a'.repeat(8_193) }, /^description: /],
    [{ iconUrl: 'a'.repeat(2_049) }, /^iconUrl: /],
    [{ name: 'a\0' }, /^name: /],
    [{ sortOrder: Number.NaN }, /^sortOrder: /],
  ]
  for (const [changes, message] of invalid) {
    test(`is rejected with ${JSON.stringify(changes).slice(0, 40)}`, async () => {
      const { categories, ownId } = await withOperators()
      const answer = await categories.create(ownId, { ...sports, ...changes })
      assert.ok(isReject(answer) && answer.code === 'VALIDATION_ERROR')
      assert.match(answer.message, message)
    })
  }

  test('can have a name of 256 characters, whatever their encoding', async () => {
    const { categories, ownId } = await withOperators()
    made(await categories.create(ownId, { ...sports, name: '\u{1f3b2}'.repeat(256) }))
    const long = { ...sports, slug: 'long', name: '\u{1f3b2}'.repeat(257) }
    const answer = await categories.create(ownId, long)
    assert.ok(isReject(answer) && /must have at most 256 characters, got 257/.test(answer.message))
  })

  test('is rejected if all of them would have more than 8 MB of text', async () => {
    const { categories, ownId, otherId } = await withOperators()
    // 512 of 16 KiB are 8 MB; names and slugs leave no space for the last one.
    const long = { ...sports, name: 'n', description: 'é'.repeat(8_192), iconUrl: null }
    const ids: string[] = []
    for (let at = 0; at < 511; at += 1) {
      ids.push(made(await categories.create(ownId, { ...long, slug: `s${at}` })).id)
    }
    const over = await categories.create(ownId, long)
    assert.ok(isReject(over) && /^categories: .* at most 8 MB in all$/.test(over.message))
    made(await categories.create(otherId, long))

    // Six of these fit into the rest.
    const iconUrl = `https://${'x'.repeat(2_000)}`
    const answers = []
    for (const id of ids.slice(0, 7)) answers.push(await categories.update(ownId, id, { iconUrl }))
    assert.deepEqual(answers.map(isReject), [false, false, false, false, false, false, true])
    made(await categories.update(ownId, ids[6]!, { description: null, iconUrl }))
  })

  test('that exceeds a limit already can have less text, and not more', async () => {
    const { tested, categories, ownId } = await withOperators()
    const { id, ...row } = made(await categories.create(ownId, sports))
    for (let at = 0; at < 9; at += 1) {
      const description = 'x'.repeat(1024 * 1024)
      await tested.store.categories.put({ ...row, id: `${id}-${at}`, slug: `s${at}`, description })
    }
    const opened = (await tested.open()).categories
    made(await opened.update(ownId, `${id}-0`, { description: 'short', isActive: false }))
    assert.ok(isReject(await opened.update(ownId, `${id}-1`, { name: 'A longer name' })))
  })

  test('can have a slug of 64 letters', async () => {
    const { categories, ownId } = await withOperators()
    made(await categories.create(ownId, { ...sports, slug: '-0'.repeat(32) }))
  })

  test('cannot belong to an operator that does not exist', async () => {
    const { categories } = await withOperators()
    const answer = await categories.create('nobody', sports)
    assert.ok(isReject(answer) && answer.code === 'OPERATOR_NOT_FOUND')
  })
})

describe('the list of categories', () => {
  test('is sorted by sortOrder, then by age, with global ones on request', async () => {
    const { tested, categories, ownId, otherId } = await withOperators()
    const add = async (owner: string | null, slug: string, sortOrder: number) => {
      tested.now += 1
      return made(await categories.create(owner, { ...sports, slug, sortOrder }))
    }
    await add(ownId, 'last', 5)
    await add(ownId, 'older', 1)
    await add(null, 'global', 1)
    await add(ownId, 'newer', 1)
    await add(ownId, 'first', -2.5)
    await add(otherId, 'foreign', 0)
    const slugs = (list: readonly { slug: string }[]) => list.map(({ slug }) => slug)
    for (const each of [categories, (await tested.open()).categories]) {
      const everything = ['first', 'older', 'global', 'newer', 'last']
      assert.deepEqual(slugs(each.list(ownId, all)), everything)
      const own = each.list(ownId, { ...all, includeGlobal: false })
      assert.deepEqual(
        slugs(own),
        everything.filter((slug) => slug !== 'global'),
      )
    }
  })

  test('leaves out inactive ones on request', async () => {
    const { categories, ownId } = await withOperators()
    const { id } = made(await categories.create(ownId, sports))
    made(await categories.update(ownId, id, { isActive: false }))
    assert.equal(categories.list(ownId, { ...all, activeOnly: true }).length, 0)
    assert.equal(categories.list(ownId, all).length, 1)
  })
})

describe('a changed category', () => {
  test('keeps the fields that are not named, and its slug', async () => {
    const { tested, categories, ownId } = await withOperators()
    const category = made(await categories.create(ownId, sports))
    const changes = { name: 'Games', iconUrl: null, slug: 'games', operatorId: 'mine' }
    const changed = made(await categories.update(ownId, category.id, changes))
    assert.deepEqual(changed, { ...category, name: 'Games', iconUrl: null })
    assert.deepEqual((await tested.open()).categories.get(category.id), changed)
  })

  test('is its owner’s: a global one is forbidden, another operator’s is not found', async () => {
    const { categories, ownId, otherId } = await withOperators()
    const own = made(await categories.create(ownId, sports))
    const global = made(await categories.create(null, sports))
    const codes = await Promise.all(
      [
        categories.update(ownId, global.id, { name: 'Mine' }),
        categories.update(otherId, own.id, { name: 'Mine' }),
        categories.update(null, own.id, { name: 'Mine' }),
        categories.update(ownId, 'none', { name: 'Mine' }),
      ].map(async (update) => {
        const answer = await update
        return isReject(answer) ? answer.code : 'accepted'
      }),
    )
    const notFound = 'CATEGORY_NOT_FOUND'
    assert.deepEqual(codes, ['FORBIDDEN', notFound, notFound, notFound])
    made(await categories.update(null, global.id, { name: 'Everybody’s' }))
    assert.equal(categories.get(own.id)?.name, 'Sports')
  })

  test('is checked like a new one', async () => {
    const { categories, ownId } = await withOperators()
    const { id } = made(await categories.create(ownId, sports))
    const answer = await categories.update(ownId, id, { name: '' })
    assert.ok(isReject(answer) && answer.code === 'VALIDATION_ERROR')
  })
})
