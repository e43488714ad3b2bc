// The files of an earlier commit in a temporary folder, to run its service beside the present one.
// It uses the installed packages of this checkout.

import { execFileSync } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { onExit } from './clean-up.ts'
import { temporaryFolder } from './temporary-folder.ts'

export type Worktree = {
  readonly root: string
  /** Short. */
  readonly commit: string
  remove(): void
}

const thisProject = join(import.meta.dirname, '../..')

/** The caller removes it; otherwise the end of this process does. */
export function openWorktree(revision: string, project = thisProject): Worktree {
  const git = (...args: string[]) => runGit(project, args)
  const commit = commitOf(revision, project)
  const folder = temporaryFolder()
  const root = join(folder.path, 'worktree')
  const removeTree = () => git('worktree', 'remove', '--force', root)
  git('worktree', 'add', '--detach', root, commit)
  const cancelRemoval = onExit(removeTree)
  symlinkSync(join(project, 'node_modules'), join(root, 'node_modules'))
  const remove = () => {
    cancelRemoval()
    removeTree()
    folder.remove()
  }
  return { root, commit, remove }
}

/** Its short hash; throws if there is no such commit. */
export function commitOf(revision: string, project = thisProject): string {
  return runGit(project, ['rev-parse', '--verify', '--short', `${revision}^{commit}`])
}

function runGit(folder: string, args: readonly string[]): string {
  try {
    return execFileSync('git', args, { cwd: folder, stdio: 'pipe' }).toString().trim()
  } catch (cause) {
    const text = cause instanceof Error ? cause.message : String(cause)
    throw new Error(text.trim().split('\n').slice(0, 2).join(': '), { cause })
  }
}
