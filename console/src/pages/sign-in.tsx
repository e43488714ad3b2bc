// The sign-in page. One field accepts either kind of key; the console finds out which kind it is.

import { useEffect, useState } from 'preact/hooks'
import { isOutcryError } from '../../../client/src/outcry.ts'
import { clientOf } from '../exchange.ts'
import { ConsoleError } from '../explain.ts'
import { Problem, TextField, useSending } from '../parts/form.tsx'
import { ThemeButton } from '../parts/shell.tsx'
import { go, pathParts } from '../route.ts'
import { canOpen } from '../sections.ts'
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
      // The path may be from a session of the other kind.
      if (!canOpen(who.kind, pathParts.peek())) go('/')
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
        <p class="lead">Sign in with an operator's key or the administrator's key.</p>
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

const noAccess =
  'You cannot use this key here: it lacks the scope "read", or its operator is not active. ' +
  'Ask the administrator for another key.'

async function recognise(key: string): Promise<Session> {
  if (key === '') throw new ConsoleError('Enter a key.')
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new ConsoleError('A key contains only letters, digits and symbols, without spaces.')
  }
  const operator: Session = { kind: 'operator', key }
  const admin: Session = { kind: 'admin', key }
  if (
    await isAccepted(async () => {
      const { scopes } = await clientOf(operator).me()
      if (!scopes.includes('read')) throw new ConsoleError(noAccess)
    })
  ) {
    return operator
  }
  if (await isAccepted(() => clientOf(admin).admin.operators())) return admin
  throw new ConsoleError(
    'The exchange does not know this key. Check that you copied all of it. The key may also be ' +
      'revoked or expired.',
  )
}

/** Whether the exchange accepts the key of a request. */
async function isAccepted(request: () => Promise<unknown>): Promise<boolean> {
  try {
    await request()
    return true
  } catch (error) {
    if (isOutcryError(error, 'UNAUTHORIZED')) return false
    if (!isOutcryError(error, 'FORBIDDEN')) throw error
    throw new ConsoleError(noAccess)
  }
}
