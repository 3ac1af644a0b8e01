// Shows a notification of the browser when another handoff waits and the page is not visible.
import { useEffect, useRef } from 'react'
import { texts } from '../../texts/texts.ts'
import { notificationsWanted, showNotice } from './notices.ts'

/** `count` is undefined until it is known. */
export function useWaitingNotice(botId: string, count: number | undefined) {
  const before = useRef(count)
  useEffect(() => {
    const isMore =
      before.current !== undefined && count !== undefined && count > before.current
    before.current = count
    if (isMore && document.hidden && notificationsWanted())
      showNotice(texts.inbox.notifications.title, {
        body: texts.inbox.waitingCount(count),
        tag: botId,
      })
  }, [botId, count])
}
