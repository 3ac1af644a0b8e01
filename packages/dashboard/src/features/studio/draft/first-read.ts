// The first read of a draft after the application started: it begins while the files of the page load.
import { clientFor } from '../../../api/client.ts'
import { hasStream } from '../../../api/live.tsx'
import { queryClient } from '../../../api/queries.ts'
import { sessionQuery } from '../../../api/session.ts'
import { type Draft, draftServer } from './draft-server.ts'

interface Page {
  workspaceId: string
  botId: string
}

type Reading = Promise<{ draft: Promise<Draft> } | null>

/** By id of the bot. */
const begun = new Map<string, Reading>()
/** Until an unused reading is dropped: the page that it was for did not open. */
const keptMs = 10_000

/**
 * Begins to read the draft, if the role may. Later pages read it themselves: between this read and the page,
 * a note of a change would be missed.
 */
export function beginFirstRead({ workspaceId, botId }: Page) {
  if (hasStream()) return
  const reading: Reading = queryClient.fetchQuery(sessionQuery).then((session) => {
    const workspace = session?.workspaces.find(({ id }) => id === workspaceId)
    if (!workspace?.permissions.includes('bots.read')) return null
    const draft = draftServer(clientFor({ workspaceId, botId }), botId).read()
    draft.catch(() => {})
    return { draft }
  })
  reading.catch(() => {})
  begun.set(botId, reading)
  setTimeout(() => begun.delete(botId), keptMs)
}

/** Returns the reading that began for this page, once. */
export function takeFirstRead(botId: string): Reading | undefined {
  const reading = begun.get(botId)
  begun.delete(botId)
  return reading
}
