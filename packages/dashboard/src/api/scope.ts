// The workspace and the bot of the current page, from its address.
import { useParams } from '@tanstack/react-router'
import { clientFor } from './client.ts'

/** Returns the client and the ids for a page of a workspace. */
export function useWorkspace() {
  const workspaceId = useParams({ strict: false }).workspaceId ?? ''
  return { workspaceId, client: clientFor({ workspaceId }) }
}

/** Returns the client and the ids for a page of a bot. */
export function useBot() {
  const { workspaceId = '', botId = '' } = useParams({ strict: false })
  return { workspaceId, botId, client: clientFor({ workspaceId, botId }) }
}
