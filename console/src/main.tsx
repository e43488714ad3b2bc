// The entry point of the console: styles, links, shortcuts, the stream, and the page.

import './styles/tokens.css'
import './styles/top.css'
import './styles/page.css'
import './styles/controls.css'
import './styles/passing.css'
import './styles/buttons.css'
import './styles/fields.css'
import './styles/notes.css'
import './styles/dialogs.css'
import './styles/forms.css'
import './styles/tables.css'
import './styles/events.css'
import './styles/market.css'
import './styles/trading.css'
import 'uplot/dist/uPlot.min.css'
import { effect } from '@preact/signals'
import { render } from 'preact'
import { App } from './app.tsx'
import { loadIdentity } from './identity.ts'
import { clearEvents, receiveEvent } from './live/events.ts'
import { closeStream, openStream } from './live/stream.ts'
import { followLinks } from './route.ts'
import { session } from './session.ts'
import { listenForKeys } from './shortcuts.ts'

followLinks()
listenForKeys()
effect(() => {
  const who = session.value
  clearEvents()
  loadIdentity()
  if (who?.kind === 'operator') openStream({ onEvent: receiveEvent, onRewound: clearEvents })
  else closeStream()
})

const root = document.getElementById('app')
if (root !== null) render(<App />, root)
