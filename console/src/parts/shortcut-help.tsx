// The list of keyboard shortcuts, opened with "?".

import { isHelpOpen, shortcuts } from '../shortcuts.ts'
import { Dialog } from './dialog.tsx'

export function ShortcutHelp() {
  if (!isHelpOpen.value) return null
  const close = () => {
    isHelpOpen.value = false
  }
  return (
    <Dialog title="Keyboard shortcuts" onClose={close}>
      <dl class="keys">
        {shortcuts().map(({ keys, description }) => (
          <div key={keys}>
            <dt>
              {keys.split(' ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{description}</dd>
          </div>
        ))}
        <div>
          <dt>
            <kbd>Esc</kbd>
          </dt>
          <dd>Close a dialog</dd>
        </div>
      </dl>
    </Dialog>
  )
}
