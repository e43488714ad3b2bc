// Checks which folder may import which. ARCHITECTURE.md shows the same table in prose; this rule
// compares it with the real imports.

import { posix } from 'node:path'
import { findImports, type Import } from './imports.ts'
import { isTest, isTypeScript } from './paths.ts'
import type { Rule, Violation } from './violation.ts'

type Room = {
  /** Folders end in a slash; anything else is a single file. */
  readonly mayImport: readonly string[]
  readonly mayImportPackages: boolean
}

const port = 'src/store/store.ts'
const ops = 'src/ops/'
const core = 'src/core/'
const databaseUrls = 'src/database-urls.ts'
const addressBlocks = 'src/address-blocks.ts'

const rooms: Readonly<Record<string, Room>> = {
  'src/core/': { mayImport: [], mayImportPackages: false },
  'src/ops/': { mayImport: [], mayImportPackages: true },
  'src/store/': { mayImport: [core, databaseUrls], mayImportPackages: true },
  'src/engine/': { mayImport: [core, port, ops], mayImportPackages: true },
  'src/registry/': { mayImport: [core, port], mayImportPackages: true },
  'src/feed/': { mayImport: [core, port, ops], mayImportPackages: true },
  'src/cluster/': { mayImport: [core, 'src/engine/', port, ops], mayImportPackages: true },
  'src/api/': {
    mayImport: [core, 'src/engine/', 'src/registry/', 'src/feed/', port, ops, addressBlocks],
    mayImportPackages: true,
  },
  'src/cli/': { mayImport: ['src/'], mayImportPackages: true },
  'src/config.ts': {
    mayImport: [
      core,
      addressBlocks,
      'src/cluster-config.ts',
      'src/settings.ts',
      'src/setting-kinds.ts',
    ],
    mayImportPackages: true,
  },
  'src/cluster-config.ts': {
    mayImport: ['src/settings.ts', 'src/setting-kinds.ts'],
    mayImportPackages: true,
  },
  'src/settings.ts': { mayImport: ['src/setting-kinds.ts'], mayImportPackages: true },
  'src/setting-kinds.ts': {
    mayImport: [core, databaseUrls, addressBlocks],
    mayImportPackages: true,
  },
  'src/database-urls.ts': { mayImport: [], mayImportPackages: false },
  'src/address-blocks.ts': { mayImport: [], mayImportPackages: true },
  'src/wiring/': { mayImport: ['src/'], mayImportPackages: true },
  'src/main.ts': { mayImport: ['src/'], mayImportPackages: true },
  // Generates the client's types from a running service; not part of the package.
  'client/generate/': { mayImport: ['src/wiring/', 'src/config.ts'], mayImportPackages: true },
  'client/src/': { mayImport: [], mayImportPackages: false },
  'console/': { mayImport: ['client/src/'], mayImportPackages: true },
  'guide/': { mayImport: [], mayImportPackages: true },
  'examples/': { mayImport: ['client/src/', core], mayImportPackages: true },
  'demo/': {
    mayImport: ['client/src/', 'test/support/store/postgres.ts'],
    mayImportPackages: true,
  },
}

// A test next to its source may also import the test runner and test/support.
const forTests = ['test/support/']
const packagesForTests = new Set(['node:test', 'node:assert', 'node:assert/strict'])

// The interfaces share what is in the other folders of api, and know nothing of each other.
const interfaces = ['src/api/rest/', 'src/api/grpc/', 'src/api/ws/']

// The folders of the core, from the bottom. Each may import those before it and itself; the files
// that are directly in core come first.
const coreFolders = [
  'memory',
  'state',
  'book',
  'orders',
  'controls',
  'markets',
  'events',
  'snapshot',
]

const driverPackages = /^(?:node:sqlite|pg|postgres|better-sqlite3)(?:\/|$)/
const driverFolder = /^src\/store\/(?:sqlite|postgres)\//

export const checkRooms: Rule = (path, text) => {
  if (!isTypeScript(path) || !/^(?:src|client|console|guide|examples|demo)\//.test(path)) return []
  const own = roomOf(path)
  if (own === undefined) return [{ path, line: 1, message: notInTable(path) }]

  return findImports(text).flatMap((found): Violation[] => {
    const complaint = complaintAbout(found, path, own)
    return complaint === undefined ? [] : [{ path, line: found.line, message: complaint }]
  })
}

/** The room of a file. The test of a file belongs to the room of that file. */
function roomOf(path: string): string | undefined {
  const source = path.replace(/\.test\.(tsx?)$/, '.$1')
  return Object.keys(rooms).find((room) => isWithin(source, room))
}

function complaintAbout(found: Import, path: string, own: string): string | undefined {
  const { specifier } = found
  if (specifier === undefined) {
    return 'rooms: a computed import() hides its target; write the file as a string literal.'
  }
  if (/^(?:#|\/|file:|data:)/.test(specifier)) {
    return `rooms: "${specifier}" hides its room; write a relative path.`
  }
  if (!/^\.\.?\//.test(specifier)) return complaintAboutPackage(specifier, path, own)
  const target = posix.join(posix.dirname(path), specifier)
  return complaintAboutFile(target, path, own)
}

function complaintAboutPackage(specifier: string, path: string, own: string): string | undefined {
  if (isTest(path) && packagesForTests.has(specifier)) return undefined
  if (!rooms[own]!.mayImportPackages) {
    const name = short(own)
    return `rooms: ${name} may import no package, so not "${specifier}"; pass the value in.`
  }
  if (driverPackages.test(specifier) && own !== 'src/store/') {
    return `rooms: "${specifier}" is a database driver; only store may use one.`
  }
  return undefined
}

function complaintAboutFile(target: string, path: string, own: string): string | undefined {
  const { mayImport } = rooms[own]!
  const folder = driverFolder.exec(target)?.[0]
  if (folder !== undefined && own === 'src/store/' && !isTest(path) && !path.startsWith(folder)) {
    return `rooms: only the wiring names a database, so not ${short(target)}; use store/store.ts.`
  }

  const other = interfaces.find((place) => isWithin(target, place))
  if (other !== undefined && own === 'src/api/' && !isWithin(path, other)) {
    const rule = `only main.ts and the files of ${short(other)} import from ${short(other)}`
    return `rooms: ${rule}, so not ${short(target)}; move what is shared into a folder of api.`
  }

  if (own === core && !isTest(path) && coreLevelOf(target) > coreLevelOf(path)) {
    const rule = `${short(coreFolderOf(path))} comes before ${short(coreFolderOf(target))}`
    return `rooms: ${rule}, so not ${short(target)}; turn the arrow round or pass the value in.`
  }

  const allowed = [own, ...mayImport, ...(isTest(path) ? forTests : [])]
  if (allowed.some((place) => isWithin(target, place))) return undefined
  const places = mayImport.length === 0 ? 'nothing' : `only ${mayImport.map(short).join(', ')}`
  const rule = `${short(own)} may import ${places} beside itself, so not ${short(target)}`
  return `rooms: ${rule}; reverse the import or pass the value in.`
}

/** 0 for a file directly in core, and outside core. */
function coreLevelOf(path: string): number {
  return coreFolders.findIndex((folder) => isWithin(path, `${core}${folder}/`)) + 1
}

function coreFolderOf(path: string): string {
  return `${core}${coreFolders[coreLevelOf(path) - 1] ?? ''}`
}

function isWithin(path: string, place: string): boolean {
  return place.endsWith('/') ? path.startsWith(place) : path === place
}

function notInTable(path: string): string {
  const name = path.split('/')[1]!
  const isFile = path.split('/').length === 2
  if (isFile) return `rooms: ${name} is in no room; move it into one.`
  return `rooms: room ${name} is not in the table; add its row in test/tidy/rooms.ts.`
}

function short(place: string): string {
  return place.replace(/^src\/(?=.)/, '').replace(/\/$/, '')
}
