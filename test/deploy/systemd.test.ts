// The units of systemd, as systemd-analyze reads them.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { settings } from '../../src/config.ts'
import { exitCodes } from '../../src/wiring/exit-codes.ts'

const folder = new URL('../../deploy/systemd/', import.meta.url).pathname
const names = readdirSync(folder)
const unit = (name: string) => readFileSync(join(folder, name), 'utf8')
const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0
if (!hasSystemd) process.stderr.write('\nNOT RUN: systemd-analyze verify: there is no systemd.\n\n')

test('systemd-analyze has nothing to say about the units', { skip: !hasSystemd }, () => {
  const copies = mkdtempSync(join(tmpdir(), 'outcry-units-'))
  try {
    // The programs of the units are not installed here.
    const program = join(copies, 'program')
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 })
    const own = join(copies, 'units')
    mkdirSync(own)
    cpSync(folder, own, { recursive: true })
    for (const name of names) {
      const text = unit(name).replaceAll('/opt/outcry/node_modules/.bin/node', program)
      writeFileSync(join(own, name), text)
    }
    const verify = () => {
      const paths = names.map((name) => join(own, name))
      const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', ...paths], {
        encoding: 'utf8',
      })
      const about = stderr.split('\n').filter((line) => line.includes(own) || /outcry/.test(line))
      return { status, about }
    }
    assert.deepEqual(verify().about, [])
    const service = join(own, 'outcry.service')
    writeFileSync(service, readFileSync(service, 'utf8').replace('KillMode=', 'KillMod='))
    assert.notDeepEqual(verify().about, [], 'it finds faults')
  } finally {
    rmSync(copies, { recursive: true, force: true })
  }
})

test('the units use settings of the service, and its exit code for a wrong one', () => {
  const known = new Set(['NODE_ENV', ...settings.map(({ name }) => name)])
  for (const name of names.filter((each) => each.endsWith('.service'))) {
    const lines = [...unit(name).matchAll(/^Environment=(.+)$/gm)].map(([, line]) => line ?? '')
    for (const setting of lines.join(' ').matchAll(/(\w+)=/g))
      assert.ok(known.has(setting[1]!), name)
  }
  assert.match(
    unit('outcry.service'),
    new RegExp(`^RestartPreventExitStatus=${exitCodes.invalidSetting}$`, 'm'),
  )
})
