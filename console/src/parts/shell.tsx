// The frame of every page: navigation, state of the connection, theme.

import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { ModeBanner } from '../controls/mode-banner.tsx'
import { dateTime } from '../figures.ts'
import { identity } from '../identity.ts'
import { isLive, staleSince } from '../live/stream.ts'
import { hrefOf, pathParts } from '../route.ts'
import { sectionsOf } from '../sections.ts'
import { type Session, signOut } from '../session.ts'
import { isHelpOpen } from '../shortcuts.ts'
import { switchTheme, theme } from '../theme.ts'
import { Icon } from './icon.tsx'
import { ShortcutHelp } from './shortcut-help.tsx'
import { Toasts } from './toast.tsx'

const scopesMax = 3

export function Shell({ who, children }: { who: Session; children: ComponentChildren }) {
  const sections = sectionsOf[who.kind]
  const here = pathParts.value[0] ?? sectionsOf[who.kind][0][0]
  return (
    <>
      <a class="skip" href="#content">
        Skip to content
      </a>
      <div class="frame-top" ref={useHeightAsStyle()}>
        <header class="top">
          <a class="brand" href={hrefOf('/')} aria-label="Outcry">
            <img src="/console/mark.svg" alt="" width="24" height="24" />
            <span>Outcry</span>
          </a>
          <nav class="sections" aria-label="Console">
            {sections.map(([section, name]) => (
              <a
                key={section}
                href={hrefOf(`/${section}`)}
                aria-current={here === section ? 'page' : undefined}
              >
                {name}
              </a>
            ))}
          </nav>
          <div class="top-end">
            {who.kind === 'operator' ? <Identity /> : <span class="badge">Administrator</span>}
            {who.kind === 'operator' ? <Connection /> : null}
            <button
              type="button"
              class="icon-button help-button"
              aria-label="Keyboard shortcuts"
              title="Keyboard shortcuts (?)"
              onClick={() => {
                isHelpOpen.value = true
              }}
            >
              <Icon name="keys" />
            </button>
            <ThemeButton />
            <button type="button" class="quiet" onClick={() => signOut()}>
              Sign out
            </button>
          </div>
        </header>
        <ModeBanner who={who} />
        <StaleBanner who={who} />
      </div>
      <main id="content" tabIndex={-1}>
        {children}
      </main>
      <ShortcutHelp />
      <Toasts />
    </>
  )
}

/** For what else stays in sight, below it. */
function useHeightAsStyle() {
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const { current } = element
    if (current === null) return
    const observer = new ResizeObserver(() => {
      document.documentElement.style.setProperty('--frame-height', `${current.offsetHeight}px`)
    })
    observer.observe(current)
    return () => observer.disconnect()
  }, [])
  return element
}

export function ThemeButton() {
  const next = theme.value === 'dark' ? 'light' : 'dark'
  return (
    <button
      type="button"
      class="icon-button"
      aria-label={`Switch to ${next} theme`}
      title={`Switch to ${next} theme (t)`}
      onClick={switchTheme}
    >
      <Icon name={next === 'dark' ? 'moon' : 'sun'} />
    </button>
  )
}

/** The operator and its key. */
function Identity() {
  const me = identity.value
  if (me === null) return null
  const scopes = me.scopes.length === scopesMax ? 'all scopes' : me.scopes.join(', ')
  const key = me.keyLabel ?? 'Key without a label'
  const until = me.expiresAt === null ? '' : `, expires ${dateTime(me.expiresAt)}`
  return (
    <p class="identity" title={`${me.operatorName}: ${key}, ${scopes}${until}`}>
      <strong>{me.operatorName}</strong>
      <small>
        {key} · {scopes}
      </small>
    </p>
  )
}

function Connection() {
  const state = isLive.value ? 'live' : staleSince.value === null ? 'connecting' : 'stale'
  const words = { live: 'Live', connecting: 'Connecting', stale: 'Stale' }[state]
  return (
    <span class="connection" data-state={state} role="status">
      <span class="dot" />
      {words}
    </span>
  )
}

function StaleBanner({ who }: { who: Session }) {
  if (who.kind === 'admin' || isLive.value || staleSince.value === null) return null
  const since = new Date(staleSince.value).toLocaleTimeString(undefined, { hourCycle: 'h23' })
  return (
    <p class="stale-banner" role="alert">
      The connection was lost at {since}. The data may be out of date. Reconnecting …
    </p>
  )
}
