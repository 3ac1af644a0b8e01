// Notifications of the browser, if they are switched on in this browser.
import { useSyncExternalStore } from 'react'

const key = 'botstead.notifications'
const changed = new EventTarget()

/** Whether notifications are switched on in this browser, and permitted. */
export function notificationsWanted(): boolean {
  if (!('Notification' in window) || Notification.permission !== 'granted') return false
  try {
    return localStorage.getItem(key) === 'on'
  } catch {
    return false
  }
}

export function wantNotifications(isOn: boolean) {
  try {
    localStorage.setItem(key, isOn ? 'on' : 'off')
  } catch {
    // Storage is disabled: there are no notifications.
  }
  changed.dispatchEvent(new Event('change'))
}

export const useNotificationsWanted = () =>
  useSyncExternalStore(subscribe, notificationsWanted)

function subscribe(look: () => void) {
  // `storage`: another tab has changed it.
  changed.addEventListener('change', look)
  window.addEventListener('storage', look)
  return () => {
    changed.removeEventListener('change', look)
    window.removeEventListener('storage', look)
  }
}

/** A later notice with the same `tag` replaces this one. */
export function showNotice(
  title: string,
  { onOpen, ...options }: { body: string; tag: string; onOpen?: () => void },
) {
  try {
    const notice = new Notification(title, options)
    notice.onclick = () => {
      window.focus()
      notice.close()
      onOpen?.()
    }
  } catch {
    // Some browsers of phones have no notifications of pages.
  }
}
