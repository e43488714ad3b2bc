// On every page: that trading is halted or restricted, by whom and why.

import { dateTime } from '../figures.ts'
import { hrefOf, pathParts } from '../route.ts'
import type { Session } from '../session.ts'
import { useBrakeInForce } from './in-force.ts'
import type { BrakeInForce } from './modes.ts'

export function ModeBanner({ who }: { who: Session }) {
  const brake = useBrakeInForce()
  if (brake === null) return null
  return (
    <p class="mode-banner" role="alert" data-mode={brake.mode}>
      <span class="mode-words" title={brake.reason ?? ''}>
        <strong>{sentenceOf(brake, who)}</strong> {detailsOf(brake)}
      </span>
      {pathParts.value[0] === 'controls' ? null : <a href={hrefOf('/controls')}>Controls</a>}
    </p>
  )
}

function sentenceOf({ scope, mode }: BrakeInForce, who: Session): string {
  if (scope === 'OPERATOR') {
    return mode === 'HALTED'
      ? 'You have halted the trading of your players.'
      : 'You let your players only reduce positions.'
  }
  const whole = who.kind === 'admin' ? 'the whole exchange' : 'the exchange'
  return mode === 'HALTED'
    ? `Trading on ${whole} is halted.`
    : `On ${whole}, players may only reduce positions.`
}

function detailsOf({ reason, since, until }: BrakeInForce): string {
  const times = [
    since === null ? '' : `Since ${dateTime(since)}`,
    until === null ? '' : `until ${dateTime(until)}`,
  ]
  const shown = times.filter((text) => text !== '').join(' ')
  return [reason ?? '', shown].filter((text) => text !== '').join(' · ')
}
