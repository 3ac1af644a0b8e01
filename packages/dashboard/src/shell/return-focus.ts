// Returns the focus from a closed dialog to the element that had it before. Mantine does so only for dialogs
// that are in the page before they open; those of the pages exist only while they are open.
import { useEffect } from 'react'

const dialogs = '[aria-modal=true]'

export function useReturnFocus() {
  useEffect(() => {
    const openers = new Map<Element, Element | null>()
    let last: Element | null = null
    const note = ({ target }: FocusEvent) => {
      if (!(target instanceof Element)) return
      const dialog = target.closest(dialogs)
      if (dialog && !openers.has(dialog)) {
        openers.set(dialog, last && toOpener(last))
        removals.observe(document.body, { childList: true, subtree: true })
      }
      last = target
    }
    const removals = new MutationObserver(() => {
      const closed = [...openers].filter(([dialog]) => !dialog.isConnected)
      for (const [dialog] of closed) openers.delete(dialog)
      if (openers.size === 0) removals.disconnect()
      if (closed.length > 0) returnTo(closed.map(([, opener]) => opener))
    })
    document.addEventListener('focusin', note)
    return () => {
      document.removeEventListener('focusin', note)
      removals.disconnect()
    }
  }, [])
}

/** An entry of a menu is removed with it: its opener is the button of the menu. */
function toOpener(element: Element): Element {
  const button = element.closest('[role=menu]')?.getAttribute('aria-labelledby')
  return (button && document.getElementById(button)) || element
}

/**
 * The openers are those of dialogs that closed at once, the outermost first. The action of a dialog may have
 * removed its opener, such as with its page: then the heading gets the focus. It may also have set the focus.
 */
function returnTo(openers: (Element | null)[]) {
  if (document.activeElement !== document.body) return
  const target =
    openers.find((one) => one?.isConnected) ??
    document.querySelector('#content h1') ??
    document.querySelector('#content')
  if (target instanceof HTMLElement) target.focus({ preventScroll: true })
}
