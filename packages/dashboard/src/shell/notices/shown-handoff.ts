// The handoff that the member sees, in any tab of this browser: it needs no notification.
import { useEffect } from 'react'

const key = 'botstead.shownHandoff'

export function isHandoffVisible(id: string): boolean {
  try {
    return localStorage.getItem(key) === id
  } catch {
    return false
  }
}

export function useShownHandoff(id: string) {
  useEffect(() => {
    const note = () => setVisible(id, !document.hidden)
    const leave = () => setVisible(id, false)
    note()
    document.addEventListener('visibilitychange', note)
    window.addEventListener('pagehide', leave)
    return () => {
      document.removeEventListener('visibilitychange', note)
      window.removeEventListener('pagehide', leave)
      leave()
    }
  }, [id])
}

function setVisible(id: string, isVisible: boolean) {
  try {
    if (isVisible) localStorage.setItem(key, id)
    else if (localStorage.getItem(key) === id) localStorage.removeItem(key)
  } catch {
    // Storage is disabled: there are no notifications.
  }
}
