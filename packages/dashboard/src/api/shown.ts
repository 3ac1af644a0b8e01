// Whether the page is shown: false in a tab of the background.
import { useSyncExternalStore } from 'react'

function listen(changed: () => void) {
  document.addEventListener('visibilitychange', changed)
  return () => document.removeEventListener('visibilitychange', changed)
}

export const isShown = () => !document.hidden

export const useIsVisible = () => useSyncExternalStore(listen, isShown)
