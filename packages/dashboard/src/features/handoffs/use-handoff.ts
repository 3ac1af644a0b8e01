// One handoff and what members do with it.
import type { Handoff, HandoffDetails } from '@botstead/contract'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useCallback } from 'react'
import type { Filters } from '../../api/filters.ts'
import { useNotes } from '../../api/live.tsx'
import { useBot } from '../../api/scope.ts'
import { sessionQuery } from '../../api/session.ts'
import { isMissing } from '../../parts/states.tsx'

/** Returns the id of the signed-in account. */
export const useOwnId = () => useQuery(sessionQuery).data?.account.id

interface Found {
  handoff: HandoffDetails
}

const getKey = (botId: string, id: string) => ['handoffs', botId, 'one', id]

export function useHandoff(id: string) {
  const { botId, client } = useBot()
  const queries = useQueryClient()
  useNotes(
    useCallback(
      ({ topic, botId: ofBot, conversationId }) => {
        if (topic !== 'receipts' || ofBot !== botId) return
        const known = queries.getQueryData<Found>(getKey(botId, id))?.handoff
          .conversationId
        // A note of many conversations names none.
        if (!conversationId || conversationId === known)
          void queries.invalidateQueries({ queryKey: getKey(botId, id) })
      },
      [botId, id, queries],
    ),
  )
  return useQuery({
    queryKey: getKey(botId, id),
    queryFn: ({ signal }) => client.platform.getHandoff({ params: { id } }, { signal }),
    // Notes of other handoffs would refetch one that is deleted.
    enabled: ({ state }) => !isMissing(state.error),
  })
}

/** Responses of changes lack the details. */
const merge = (
  { user, lastMessage, lastUserMessage }: HandoffDetails,
  changed: Handoff,
): HandoffDetails => ({
  ...changed,
  ...(user && { user }),
  ...(lastMessage && { lastMessage }),
  ...(lastUserMessage && { lastUserMessage }),
})

/** Performs a change and shows its result; after a conflict, the state that caused it. */
export function useHandoffChange<Input>(
  id: string,
  change: (input: Input) => Promise<{ handoff: Handoff }>,
) {
  const { botId } = useBot()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: ({ handoff }) =>
      queries.setQueryData<Found>(
        getKey(botId, id),
        (known) => known && { handoff: merge(known.handoff, handoff) },
      ),
    onSettled: () => queries.invalidateQueries({ queryKey: ['handoffs', botId] }),
  })
}

/**
 * Assigns the handoff, as this page shows it, to an account; null lets it wait. The list beside it
 * continues to contain the reader's own handoff.
 */
export function useAssignment({ id, assignedTo }: Handoff) {
  const { client } = useBot()
  const ownId = useOwnId()
  const navigate = useNavigate()
  return useHandoffChange(id, async (to: string | null) => {
    const body = { from: assignedTo ?? null, to }
    const assigned = await client.platform.assignHandoff({ params: { id }, body })
    if (to === ownId)
      await navigate({
        to: '.',
        replace: true,
        search: (search: Filters) =>
          search.list === 'open' ? search : { ...search, list: 'mine' },
      })
    return assigned
  })
}
