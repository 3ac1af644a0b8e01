// Whose the processes of the sandbox are: a bot's key is its id, that of its tables says so, an integration's names version and workspace.

import { tablesMark } from '../tables/column-code.ts'

export interface HostedIntegration {
  integrationId: string
  workspaceId: string
}

export type CodeOwner = { botId: string; integrationId: null } | (HostedIntegration & { botId: null })

const separator = ' '

export const unitKey = ({ integrationId, workspaceId }: HostedIntegration) =>
  integrationId + separator + workspaceId

export function ownerOf(key: string): CodeOwner {
  const [first = '', workspaceId] = key.split(separator)
  return workspaceId === undefined || workspaceId === tablesMark
    ? { botId: first, integrationId: null }
    : { botId: null, integrationId: first, workspaceId }
}
