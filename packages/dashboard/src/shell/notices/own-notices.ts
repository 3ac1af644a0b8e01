// Shows a notification of the browser when a handoff is assigned to the member, or its user writes,
// and the member does not see it.
import type { HandoffDetails } from '@botstead/contract'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useLastMessages } from '../../api/last-messages.ts'
import { useBot } from '../../api/scope.ts'
import { toWrittenText } from '../../parts/messages/written-text.ts'
import { nameOfUser } from '../../parts/texts/user-name.ts'
import { texts } from '../../texts/texts.ts'
import { showNotice, useNotificationsWanted } from './notices.ts'
import { isHandoffVisible } from './shown-handoff.ts'

const t = texts.inbox.notifications

/** A handoff that the member takes is shown a moment later. */
const delayMs = 1_000

export function useOwnNotices() {
  const own = useOwnHandoffs()
  const show = useNotice()
  /** Times of the users' last messages; null until they are known. */
  const before = useRef<Map<string, string> | null>(null)
  useEffect(() => {
    const known = before.current
    before.current = own ? new Map(own.map((one) => [one.id, lastTime(one)])) : null
    if (!known || !own) return
    for (const one of own) {
      const last = known.get(one.id)
      if (last === undefined) show(one, t.assigned, nameOfUser(one.user))
      else if (lastTime(one) > last)
        show(one, t.message(nameOfUser(one.user)), toWrittenText(one.lastUserMessage!))
    }
  }, [own, show])
}

const lastTime = ({ lastUserMessage }: HandoffDetails) => lastUserMessage?.createdAt ?? ''

/** Returns undefined if the member wants no notifications. */
function useOwnHandoffs(): HandoffDetails[] | undefined {
  const { botId, client } = useBot()
  const isWanted = useNotificationsWanted()
  const { data } = useQuery({
    queryKey: ['handoffs', botId, 'list', 'own'],
    queryFn: ({ signal }) =>
      client.platform.listHandoffs(
        { query: { assignedTo: 'me', pageSize: 50 } },
        { signal },
      ),
    enabled: isWanted,
  })
  const own = isWanted ? data?.handoffs : undefined
  useLastMessages(own)
  return own
}

function useNotice() {
  const { workspaceId, botId } = useBot()
  const navigate = useNavigate()
  const show = ({ id }: HandoffDetails, title: string, body: string) => {
    const onOpen = () =>
      void navigate({
        to: '/w/$workspaceId/bots/$botId/inbox/$handoffId',
        params: { workspaceId, botId, handoffId: id },
        search: { list: 'mine' },
      })
    setTimeout(
      () => isHandoffVisible(id) || showNotice(title, { body, tag: id, onOpen }),
      delayMs,
    )
  }
  const latest = useRef(show)
  latest.current = show
  return useRef((...notice: Parameters<typeof show>) => latest.current(...notice)).current
}
