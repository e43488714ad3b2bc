// On the page of a player: its limits, and how much of them it uses in each market.

import { useState } from 'preact/hooks'
import { exchange } from '../exchange.ts'
import { can } from '../identity.ts'
import { type Loaded, useLoaded } from '../loaded.ts'
import { Bar, Stat } from '../parts/figure.tsx'
import { Heads } from '../parts/heads.tsx'
import { LoadState, Panel } from '../parts/panel.tsx'
import { Scroller } from '../parts/scroller.tsx'
import { hrefOf } from '../route.ts'
import type { LimitsRequest, Market, PlayerControls } from '../wire.ts'
import { keptBrake } from './kept-controls.ts'
import { type LimitName, limitNames, limitWords } from './limit-words.ts'
import { limitText, useOf } from './limits.ts'
import { LimitsDialog } from './limits-dialog.tsx'

type Props = {
  readonly playerId: string
  readonly of: Loaded<PlayerControls>
  readonly markets: Readonly<Record<string, Market>>
}

export function PlayerLimitsPanel({ playerId, of, markets }: Props) {
  const [isOpen, setOpen] = useState(false)
  const { data: controls } = of
  const change =
    controls === null || !can('manage') ? null : (
      <button type="button" class="quiet small" onClick={() => setOpen(true)}>
        Change limits
      </button>
    )
  return (
    <Panel title="Limits" kind="holdings" tools={change}>
      {controls === null ? (
        <LoadState of={of} what="Limits" />
      ) : (
        <>
          <dl class="stats">
            {limitNames.map((name) => (
              <LimitStat key={name} name={name} controls={controls} />
            ))}
          </dl>
          <UseTable controls={controls} markets={markets} />
          {isOpen ? (
            <PlayerLimitsDialog
              playerId={playerId}
              controls={controls}
              onDone={of.reload}
              onClose={() => setOpen(false)}
            />
          ) : null}
        </>
      )}
    </Panel>
  )
}

type StatProps = { readonly name: LimitName; readonly controls: PlayerControls }

function LimitStat({ name, controls: { limits, limitsInForce } }: StatProps) {
  const limit = limitsInForce[name]
  const isDefault = limits?.[name] === undefined
  // Without a default there is nothing to tell apart.
  const source = isDefault ? (limit === null ? {} : { more: 'default' }) : { more: 'own' }
  return <Stat name={limitWords[name].name} value={limitText(name, limit)} {...source} />
}

type UseProps = Pick<Props, 'markets'> & { readonly controls: PlayerControls }

function UseTable({ controls: { usage, limitsInForce }, markets }: UseProps) {
  if (usage.markets.length === 0) return null
  return (
    <Scroller name="Use of the limits">
      <table class="table compact grouped-table">
        <Heads columns={['In this market', ['Used', 'number use']]} />
        {usage.markets.map(({ marketId, cost, outcomes }) => {
          const market = markets[marketId]
          return (
            <tbody key={marketId}>
              <tr class="group-head">
                <th scope="rowgroup">
                  <a href={hrefOf(`/markets/${marketId}`)}>{market?.title ?? 'A market'}</a>
                  <small>Cost{market === undefined ? '' : ` in ${market.currency}`}</small>
                </th>
                <UseCell name="maxMarketCost" used={cost} limit={limitsInForce.maxMarketCost} />
              </tr>
              {outcomes.map(({ outcomeId, shares }) => (
                <tr key={outcomeId}>
                  <th scope="row">
                    {market?.outcomes.find(({ id }) => id === outcomeId)?.name ?? 'An outcome'}
                    <small>Shares</small>
                  </th>
                  <UseCell
                    name="maxOutcomeShares"
                    used={shares}
                    limit={limitsInForce.maxOutcomeShares}
                  />
                </tr>
              ))}
            </tbody>
          )
        })}
      </table>
    </Scroller>
  )
}

type CellProps = {
  readonly name: LimitName
  readonly used: string
  readonly limit: string | null
}

function UseCell({ name, used, limit }: CellProps) {
  const { text, share, isOver } = useOf(name, used, limit)
  return (
    <td class={`number use ${isOver ? 'ask' : ''}`}>
      {text}
      {isOver ? <span class="unseen"> above the limit</span> : null}
      {share === null ? null : <Bar share={share} />}
    </td>
  )
}

type DialogProps = {
  readonly playerId: string
  readonly controls: PlayerControls
  readonly onDone: () => void
  readonly onClose: () => void
}

function PlayerLimitsDialog({ playerId, controls, ...more }: DialogProps) {
  const { players, controls: ofAll } = exchange()
  const ofOperator = useLoaded(() => ofAll.get(), [])
  return (
    <LimitsDialog
      title={`Limits of ${playerId}`}
      limits={controls.limits}
      defaults={ofOperator.data?.playerDefaults ?? null}
      put={async (limits: LimitsRequest) => {
        const brake = keptBrake(await players.controls(playerId))
        await players.putControls(playerId, { ...brake, limits })
      }}
      {...more}
    />
  )
}
