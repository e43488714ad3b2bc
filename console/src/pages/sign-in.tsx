// Signing in: one field takes either kind of key, and the exchange says which kind it is.

import { useEffect, useState } from 'preact/hooks'
import { isOutcryError } from '../../../client/src/outcry.ts'
import { clientOf } from '../exchange.ts'
import { Worded } from '../explain.ts'
import { Problem, TextField, useSending } from '../parts/form.tsx'
import { ThemeButton } from '../parts/shell.tsx'
import { go, place } from '../route.ts'
import { isForThem } from '../sections.ts'
import { type Session, signedOutBecause, signIn } from '../session.ts'

export function SignInPage() {
  const [key, setKey] = useState('')
  const { isBusy, error, send } = useSending()
  useEffect(() => {
    document.title = 'Sign in · Outcry'
  }, [])
  const submit = (event: Event) => {
    event.preventDefault()
    send(async () => {
      const who = await recognise(key.trim())
      // Somebody of the other kind may have been here before.
      if (!isForThem(who.kind, place.peek())) go('/')
      signIn(who)
    })
  }
  return (
    <main class="sign-in">
      <form class="sign-in-card stack" onSubmit={submit}>
        <header class="sign-in-head">
          <img src="/console/mark.svg" alt="" width="36" height="36" />
          <ThemeButton />
        </header>
        <h1>Outcry console</h1>
        <p class="lead">Sign in with an operator's key, or with the administrator's.</p>
        {signedOutBecause.value === null ? null : (
          <p class="problem" role="status">
            {signedOutBecause.value}
          </p>
        )}
        <TextField name="Key" type="password" value={key} onValue={setKey} isRequired />
        <Problem error={error} />
        <button type="submit" class="primary wide" disabled={isBusy}>
          {isBusy ? 'Signing in' : 'Sign in'}
        </button>
        <p class="hint">The key stays in this tab and is forgotten when you close it.</p>
      </form>
    </main>
  )
}

async function recognise(key: string): Promise<Session> {
  if (key === '') throw new Worded('Enter a key.')
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new Worded('A key has only letters, digits and signs, with no spaces.')
  }
  const operator: Session = { kind: 'operator', key }
  const admin: Session = { kind: 'admin', key }
  if (await isTaken(() => clientOf(operator).statistics())) return operator
  if (await isTaken(() => clientOf(admin).admin.operators())) return admin
  throw new Worded(
    'The exchange does not know this key. Check that you copied all of it; it may also have been ' +
      'revoked or have expired.',
  )
}

/** Whether the key is of this kind. */
async function isTaken(ask: () => Promise<unknown>): Promise<boolean> {
  try {
    await ask()
    return true
  } catch (error) {
    if (isOutcryError(error, 'UNAUTHORIZED')) return false
    if (!isOutcryError(error, 'FORBIDDEN')) throw error
    throw new Worded(
      'This key cannot be used here: it may not read, or its operator is not active. ' +
        'Ask the administrator for a key with the scope "read".',
    )
  }
}
