// Escape closes panels beside the page, as it closes dialogs.
import { useWindowEvent } from '@mantine/hooks'

/** Elements that Escape closes first, or that revert their input on Escape. */
const first = '[role=menu], [aria-haspopup][aria-expanded=true], [role=grid]'

export function useEscape(isOpen: boolean, close: () => void) {
  // Before the handlers of dialogs, which remove them from the page.
  const onKey = ({ key, target, isComposing }: KeyboardEvent) => {
    if (!isOpen || key !== 'Escape' || isComposing) return
    if (target instanceof Element && target.closest(first)) return
    if (!document.querySelector('[aria-modal=true]')) close()
  }
  useWindowEvent('keydown', onKey, { capture: true })
}
