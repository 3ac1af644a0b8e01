// Owners of the sandbox's processes. The key of a bot's process is the bot's id; the processes of
// its tables and of single runs have a mark after it. The key of an integration's process consists
// of version and workspace.

import { tablesMark } from './column-code.ts'

interface HostedIntegration {
  integrationId: string
  workspaceId: string
}

export type CodeOwner =
  | { botId: string; integrationId: null }
  | (HostedIntegration & { botId: null })

const separator = ' '

/**
 * Second part of the names of processes that run once (code-runs.ts); the first is the bot's id.
 */
export const runsMark = 'run'

export const unitKey = ({ integrationId, workspaceId }: HostedIntegration) =>
  integrationId + separator + workspaceId

export function parseCodeOwner(key: string): CodeOwner {
  const [first = '', workspaceId] = key.split(separator)
  return workspaceId === undefined ||
    workspaceId === tablesMark ||
    workspaceId === runsMark
    ? { botId: first, integrationId: null }
    : { botId: null, integrationId: first, workspaceId }
}
