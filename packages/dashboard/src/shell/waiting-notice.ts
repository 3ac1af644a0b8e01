// Shows a notification of the browser when another handoff waits and the page is not visible.
import { useEffect, useRef } from 'react'
import { texts } from '../texts/texts.ts'

const key = 'botstead.notifications'

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
}

/** `count` is undefined until it is known. */
export function useWaitingNotice(botId: string, count: number | undefined) {
  const before = useRef(count)
  useEffect(() => {
    const isMore = before.current !== undefined && count !== undefined && count > before.current
    before.current = count
    if (isMore && document.hidden && notificationsWanted()) show(botId, count)
  }, [botId, count])
}

function show(botId: string, count: number) {
  const { title } = texts.inbox.notifications
  try {
    const notice = new Notification(title, { body: texts.inbox.waitingCount(count), tag: botId })
    notice.onclick = () => {
      window.focus()
      notice.close()
    }
  } catch {
    // Some browsers of phones have no notifications of pages.
  }
}
