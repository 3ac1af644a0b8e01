// The workspace and the bot of the current page, from its address.
import { useParams } from '@tanstack/react-router'
import { createContext, useContext } from 'react'
import { clientFor } from './client.ts'

/** Returns the client and the ids for a page of a workspace. */
export function useWorkspace() {
  const workspaceId = useParams({ strict: false }).workspaceId ?? ''
  return { workspaceId, client: clientFor({ workspaceId }) }
}

/** The bot of a part of the page that is about another one: a draft that is tried. */
export const OtherBot = createContext<string | null>(null)

/** Returns the client and the ids for a page of a bot. */
export function useBot() {
  const { workspaceId = '', botId: ofPage = '' } = useParams({ strict: false })
  const botId = useContext(OtherBot) ?? ofPage
  return { workspaceId, botId, client: clientFor({ workspaceId, botId }) }
}
