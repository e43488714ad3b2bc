import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { test } from 'node:test'
import { listFiles, projectRoot } from '../tidy/tree.ts'
import { groups } from './groups.ts'

test('every test file of the project is in one group', () => {
  const inGroups = Object.values(groups).flatMap(({ files }) =>
    globSync([...files], { cwd: projectRoot }),
  )
  const all = listFiles(projectRoot).filter((path) => path.endsWith('.test.ts'))
  assert.deepEqual(inGroups.sort(), all.sort())
})
