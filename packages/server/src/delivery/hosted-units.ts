// Whose the processes of the sandbox are: a bot's key is its id, an integration's names version and workspace.

export interface HostedIntegration {
  integrationId: string
  workspaceId: string
}

export type CodeOwner = { botId: string; integrationId: null } | (HostedIntegration & { botId: null })

const separator = ' '

export const unitKey = ({ integrationId, workspaceId }: HostedIntegration) => integrationId + separator + workspaceId

export function ownerOf(key: string): CodeOwner {
  const [first = '', workspaceId] = key.split(separator)
  return workspaceId === undefined ? { botId: first, integrationId: null } : { botId: null, integrationId: first, workspaceId }
}
