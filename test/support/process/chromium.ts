// Chromium for tests that need a browser: Debian's package, installed if this process may do so.

import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { type Browser, chromium, type Page } from 'playwright-core'
import { until } from '../webhooks/receiver.ts'

/** There is no Chromium, and it cannot be installed. */
export class ChromiumMissing extends Error {
  override readonly name = 'ChromiumMissing'
}

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const isRoot = process.getuid?.() === 0

// Without background network traffic, and able to run as root.
const flags = [
  ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
]

export function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: chromiumPath(), args: flags })
}

/** Throws ChromiumMissing if there is none and it cannot be installed. */
function chromiumPath(): string {
  return findChromium() ?? install()
}

/** False if there is a browser; otherwise the reason, for `skip`, which is also printed. */
export function whyNoChromium(what: string): string | false {
  try {
    chromiumPath()
    return false
  } catch (error) {
    if (!(error instanceof ChromiumMissing)) throw error
    process.stderr.write(`\nNOT RUN: ${what}: ${error.message}\n\n`)
    return `NOT RUN: ${error.message}`
  }
}

function findChromium(): string | null {
  return places.find((path) => existsSync(path)) ?? null
}

function install(): string {
  const advice = 'install the Debian package chromium'
  if (!isRoot || !existsSync('/usr/bin/apt-get')) {
    throw new ChromiumMissing(`No Chromium in ${places.join(', ')}: ${advice}.`)
  }
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  try {
    execFileSync('apt-get', ['update'], { stdio: 'pipe', env })
    execFileSync('apt-get', ['install', '-y', 'chromium'], { stdio: 'pipe', env })
  } catch (cause) {
    throw new ChromiumMissing(`Chromium could not be installed: ${advice}.`, { cause })
  }
  const path = findChromium()
  if (path === null) throw new ChromiumMissing(`apt-get installed no Chromium: ${advice}.`)
  return path
}

/**
 * Polls an expression in the page until it is true. The `waitForFunction` of a page evaluates it
 * within the page from the second time on, which a content security policy forbids.
 */
export async function untilTrue(page: Page, expression: string, maxMs: number): Promise<void> {
  await until(async () => (await page.evaluate(expression)) === true, maxMs)
}
