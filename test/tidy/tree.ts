// The files of the project: those that git tracks or would track. Without git, as in an unpacked
// archive, all files in its folders.

import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Rule, Violation } from './violation.ts'

export const projectRoot = fileURLToPath(new URL('../../', import.meta.url))

/** Runs one rule over every text file of the project. */
export function checkTree(rule: Rule): Violation[] {
  return listFiles(projectRoot).flatMap((path) => {
    const text = readText(path)
    return text === undefined ? [] : rule(path, text)
  })
}

/** Paths from the root with forward slashes, sorted. */
export function listFiles(root: string): string[] {
  const listed = listWithGit(root) ?? walk(root, '')
  return listed.filter((path) => isFile(join(root, path))).sort()
}

/** The text of a project file, or undefined if it does not exist or is binary. */
export function readText(path: string): string | undefined {
  const full = join(projectRoot, path)
  if (!isFile(full)) return undefined
  const text = readFileSync(full, 'utf8')
  return text.includes('\0') ? undefined : text
}

/** Git also lists deleted files and links to folders. */
function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
}

function listWithGit(root: string): string[] | undefined {
  try {
    const output = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 64 * 1024 * 1024,
    })
    const paths = output.split('\0').filter((path) => path !== '')
    // An archive unpacked in an ignored folder of another repository has no files in git.
    return paths.length === 0 ? undefined : paths
  } catch {
    // No git, no repository, or one of another user.
    return undefined
  }
}

const notWalked = new Set(['.git', 'node_modules', 'coverage', 'data'])

function walk(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (notWalked.has(path) || entry.name === 'node_modules') return []
    if (entry.isDirectory()) return walk(root, path)
    return entry.isFile() && !entry.name.endsWith('.log') ? [path] : []
  })
}
