// A worktree has the files of its commit and the packages of the project, and never stays behind.

import assert from 'node:assert/strict'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, suite, test } from 'node:test'
import { openWorktree } from '../../bench/support/worktree.ts'

const hasGit = spawnSync('git', ['--version']).status === 0
const skip = hasGit ? false : 'NOT RUN: git is not installed'

suite('the worktree of an earlier commit', { skip }, () => {
  const project = mkdtempSync(join(tmpdir(), 'outcry-worktree-'))
  after(() => rmSync(project, { recursive: true, force: true }))
  const git = (...args: string[]) => execFileSync('git', args, { cwd: project }).toString().trim()
  const worktrees = () => git('worktree', 'list').split('\n').length
  git('init', '--quiet')
  git('config', 'user.name', 'Ann')
  git('config', 'user.email', 'ann@example.com')
  mkdirSync(join(project, 'node_modules'))
  writeFileSync(join(project, 'node_modules/package'), 'installed')
  writeFileSync(join(project, '.gitignore'), 'node_modules')
  for (const text of ['earlier', 'present']) {
    writeFileSync(join(project, 'file'), text)
    git('add', '.')
    git('commit', '--quiet', '--message', text)
  }

  test('has its files and the installed packages, until it is removed', () => {
    const { root, commit, remove } = openWorktree('HEAD~1', project)
    assert.equal(commit, git('rev-parse', '--short', 'HEAD~1'))
    assert.equal(readFileSync(join(root, 'file'), 'utf8'), 'earlier')
    assert.equal(readFileSync(join(root, 'node_modules/package'), 'utf8'), 'installed')
    assert.equal(worktrees(), 2)
    remove()
    assert.equal(worktrees(), 1)
    assert.ok(!existsSync(dirname(root)))
    assert.ok(existsSync(join(project, 'node_modules/package')))
  })

  test('is removed by the exit of the process, as after Ctrl-C', async () => {
    const file = JSON.stringify(join(import.meta.dirname, '../../bench/support/worktree.ts'))
    const program = `
      import { openWorktree } from ${file}
      process.once('SIGINT', () => process.exit(130))
      setInterval(() => undefined, 1_000)
      console.log(openWorktree('HEAD', ${JSON.stringify(project)}).root)`
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [printed] = await once(child.stdout, 'data')
    const root = String(printed).trim()
    assert.ok(existsSync(join(root, 'file')), root)
    child.kill('SIGINT')
    assert.deepEqual(await once(child, 'exit'), [130, null])
    assert.equal(worktrees(), 1)
    assert.ok(!existsSync(dirname(root)))
  })

  test('of a commit that does not exist is refused', () => {
    assert.throws(() => openWorktree('missing', project), /missing/)
    assert.equal(worktrees(), 1)
  })
})
