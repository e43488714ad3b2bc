// Forms that create and edit a market.

import { useState } from 'preact/hooks'
import { exchange } from '../exchange.ts'
import { FeeFields } from '../fees/fee-fields.tsx'
import { scheduleOf, type TypedFees, typedFeesOf } from '../fees/fees.ts'
import { isoOf, localInput } from '../figures.ts'
import { useLoaded } from '../loaded.ts'
import { CheckField, Field, Problem, SelectField, TextField, useSending } from '../parts/form.tsx'
import { Page } from '../parts/page.tsx'
import { LoadState } from '../parts/panel.tsx'
import { notify } from '../parts/toast.tsx'
import { go, hrefOf, useQueryFields } from '../route.ts'
import type { Market } from '../wire.ts'
import { BandFields } from './band-fields.tsx'
import { OutcomeFields } from './outcome-fields.tsx'
import { bandOf, hasBandChanged, typedBandOf } from './price-band.ts'
import { checkTradingEnd } from './trading-time.ts'

type Draft = {
  readonly title: string
  readonly description: string
  readonly categoryId: string
  readonly startsAt: string
  readonly endsAt: string
}

const emptyDraft: Draft = { title: '', description: '', categoryId: '', startsAt: '', endsAt: '' }

/** Starts with what another market has, if the address names one. */
export function NewMarketPage() {
  const [{ from }] = useQueryFields({ from: '' })
  const copied = useLoaded(() => (from === '' ? null : exchange().markets.get(from)), [from])
  return (
    <Page title="Create market">
      {from !== '' && copied.data === null ? (
        <LoadState of={copied} what="Markets" />
      ) : (
        <NewMarketForm copied={copied.data} />
      )}
    </Page>
  )
}

function NewMarketForm({ copied }: { copied: Market | null }) {
  const [draft, setDraft] = useState(copied === null ? emptyDraft : copyOf(copied))
  const [currency, setCurrency] = useState(copied?.currency ?? 'USD')
  const [outcomes, setOutcomes] = useState<readonly string[]>(
    copied?.outcomes.map(({ name }) => name) ?? ['Yes', 'No'],
  )
  const [isShared, setShared] = useState(copied?.shared ?? false)
  const [hasPublicPage, setPublicPage] = useState(copied?.publicPage ?? false)
  const [matchesSets, setMatchesSets] = useState(copied?.completeSetMatching ?? false)
  const [fees, setFees] = useState(typedFeesOf(copied?.feeSchedule ?? null))
  const [band, setBand] = useState(typedBandOf(copied?.priceBand ?? null))
  const { isBusy, error, send } = useSending()
  const submit = (event: Event) => {
    event.preventDefault()
    send(async () => {
      checkTradingEnd(draft.endsAt)
      const feeSchedule = scheduleOf(fees)
      const priceBand = bandOf(band)
      const market = await exchange().markets.create({
        ...bodyOf(draft),
        currency: currency.trim(),
        outcomes: outcomes.map((name) => ({ name: name.trim() })),
        ...(isShared ? { shared: true } : {}),
        ...(matchesSets ? { completeSetMatching: true } : {}),
        ...(hasPublicPage ? { publicPage: true } : {}),
        ...(feeSchedule === null ? {} : { feeSchedule }),
        ...(priceBand === null ? {} : { priceBand }),
      })
      notify('The market is created as a draft.')
      go(`/markets/${market.id}`)
    })
  }
  return (
    <form class="form-page stack" onSubmit={submit}>
      {copied === null ? null : (
        <p class="note">A copy of “{copied.title}”, without its trading times.</p>
      )}
      <DraftFields draft={draft} onDraft={setDraft} />
      <OutcomeFields outcomes={outcomes} onOutcomes={setOutcomes} />
      <TextField name="Currency" value={currency} onValue={setCurrency} isRequired />
      <CheckField
        name="Shared"
        hint="Players of other operators can trade in it."
        isOn={isShared}
        onChange={setShared}
      />
      <CheckField
        name="Complete-set matching"
        hint="Buy orders for all outcomes can match each other by minting complete sets."
        isOn={matchesSets}
        onChange={setMatchesSets}
      />
      <PublicPageField isOn={hasPublicPage} onChange={setPublicPage} />
      <BandFields band={band} onBand={setBand} />
      <MarketFees fees={fees} onFees={setFees} currency={currency} />
      <Problem error={error} />
      <FormFoot verb="Create market" back="/markets" isBusy={isBusy} />
    </form>
  )
}

function copyOf({ title, description, categoryId }: Market): Draft {
  return { ...emptyDraft, title, description: description ?? '', categoryId: categoryId ?? '' }
}

export function EditMarketPage({ id }: { id: string }) {
  const market = useLoaded(() => exchange().markets.get(id), [id])
  return (
    <Page title="Edit market">
      {market.data === null ? (
        <LoadState of={market} what="Markets" />
      ) : (
        <EditForm market={market.data} />
      )}
    </Page>
  )
}

const changeable = 'its category and its public page'
const changeableWhileOpen = 'its category, its public page and its price band'

function EditForm({ market }: { market: Market }) {
  const isEditable = market.status === 'DRAFT' || market.status === 'UPCOMING'
  const canBand = market.resolvedAt === null && market.status !== 'CANCELLED'
  const before: Draft = {
    title: market.title,
    description: market.description ?? '',
    categoryId: market.categoryId ?? '',
    startsAt: localInput(market.tradingStartsAt),
    endsAt: localInput(market.tradingEndsAt),
  }
  const [draft, setDraft] = useState(before)
  const [hasPublicPage, setPublicPage] = useState(market.publicPage)
  const [fees, setFees] = useState(typedFeesOf(market.feeSchedule))
  const [band, setBand] = useState(typedBandOf(market.priceBand))
  const { isBusy, error, send } = useSending()
  const submit = (event: Event) => {
    event.preventDefault()
    send(async () => {
      const edits = isEditable
        ? { ...bodyOf(draft), feeSchedule: scheduleOf(fees) }
        : { categoryId: draft.categoryId === '' ? null : draft.categoryId }
      const page = hasPublicPage === market.publicPage ? {} : { publicPage: hasPublicPage }
      if (isEditable && draft.endsAt !== before.endsAt) checkTradingEnd(draft.endsAt)
      const banded = hasBandChanged(market, band) ? { priceBand: bandOf(band) } : {}
      await exchange().markets.edit(market.id, { ...edits, ...page, ...banded })
      notify('The market is saved.')
      go(`/markets/${market.id}`)
    })
  }
  return (
    <form class="form-page stack" onSubmit={submit}>
      {isEditable ? null : (
        <p class="note">
          This market has opened. You can change only {canBand ? changeableWhileOpen : changeable}.
        </p>
      )}
      <DraftFields draft={draft} onDraft={setDraft} onlyCategory={!isEditable} />
      <PublicPageField isOn={hasPublicPage} onChange={setPublicPage} />
      {canBand ? <BandFields band={band} onBand={setBand} /> : null}
      {isEditable ? <MarketFees fees={fees} onFees={setFees} currency={market.currency} /> : null}
      <Problem error={error} />
      <FormFoot verb="Save" back={`/markets/${market.id}`} isBusy={isBusy} />
    </form>
  )
}

type PublicPageProps = { readonly isOn: boolean; readonly onChange: (isOn: boolean) => void }

function PublicPageField(props: PublicPageProps) {
  return (
    <CheckField
      name="Public page"
      hint="Anybody with the link can read the question, prices and volume once it is open."
      {...props}
    />
  )
}

type FeesProps = {
  readonly fees: TypedFees
  readonly onFees: (fees: TypedFees) => void
  readonly currency: string
}

function MarketFees(props: FeesProps) {
  return (
    <FeeFields {...props} usual="Your usual fees">
      <p class="hint">
        Your players pay the same as in other markets. Those of other operators always do.
      </p>
    </FeeFields>
  )
}

/** Empty fields are null. */
function bodyOf({ title, description, categoryId, startsAt, endsAt }: Draft) {
  return {
    title: title.trim(),
    description: description.trim() === '' ? null : description.trim(),
    categoryId: categoryId === '' ? null : categoryId,
    tradingStartsAt: isoOf(startsAt),
    tradingEndsAt: isoOf(endsAt),
  }
}

type DraftProps = {
  readonly draft: Draft
  readonly onDraft: (draft: Draft) => void
  readonly onlyCategory?: boolean
}

function DraftFields({ draft, onDraft, onlyCategory = false }: DraftProps) {
  const categories = useLoaded(() => exchange().categories.list(), [])
  const set = (name: keyof Draft) => (value: string) => onDraft({ ...draft, [name]: value })
  const choices = (categories.data ?? []).map(({ id, name }) => [id, name] as const)
  const category = (
    <SelectField
      name="Category"
      choices={[['', 'None'], ...choices]}
      value={draft.categoryId}
      onValue={set('categoryId')}
    />
  )
  if (onlyCategory) return category
  return (
    <>
      <TextField
        name="Question"
        value={draft.title}
        onValue={set('title')}
        placeholder="Will it rain in Lisbon tomorrow?"
        isRequired
      />
      <Field name="Description">
        {(id) => (
          <textarea
            id={id}
            rows={4}
            value={draft.description}
            onInput={({ currentTarget }) => set('description')(currentTarget.value)}
          />
        )}
      </Field>
      {category}
      <div class="side-by-side">
        <TextField
          name="Trading starts"
          type="datetime-local"
          value={draft.startsAt}
          onValue={set('startsAt')}
          hint="Empty: when you open the market."
        />
        <TextField
          name="Trading ends"
          type="datetime-local"
          value={draft.endsAt}
          onValue={set('endsAt')}
          hint="Empty: when you close the market."
        />
      </div>
    </>
  )
}

type FootProps = { readonly verb: string; readonly back: string; readonly isBusy: boolean }

function FormFoot({ verb, back, isBusy }: FootProps) {
  return (
    <div class="form-foot">
      <button type="submit" class="primary" disabled={isBusy}>
        {verb}
      </button>
      <a class="button quiet" href={hrefOf(back)}>
        Discard
      </a>
    </div>
  )
}
