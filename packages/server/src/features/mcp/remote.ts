// Calls tools of the MCP servers that are installed in bots. Their tools are listed at the first
// use, then every five minutes of use, when the server announces a change, and when an unknown tool
// is called.

import { ApiError } from '@botstead/contract'
import { isDeeper, maxJsonDepth } from '@botstead/lib'
import { InvocationFailed } from '@botstead/sandbox'
import type { Db } from '../../core/db/index.ts'
import { rejectUnstorable } from '../../core/lib/index.ts'
import type { Outgoing } from '../../core/outgoing/index.ts'
import type { Secrets } from '../../core/sealing/index.ts'
import type { ListedTool, RemoteServer, ToolResult } from './exchange.ts'
import {
  type FoundTool,
  findTool,
  invalidateTools,
  type McpServer,
  openKey,
  type RemoteTool,
  storeTools,
} from './servers.ts'

type Json = Record<string, unknown>

interface RemoteToolsDeps {
  db: Db
  secrets: Secrets
  outgoing: Pick<Outgoing, 'for'>
  /** Writes to the bot's log, and notes an issue. */
  reportNotAllowed: (botId: string, message: string) => void
  timeoutMs: number
}

export interface RemoteTools {
  /**
   * Finds a tool of a server. Returns null without such a server; throws ReferenceNotFound for an
   * unknown tool, Runtime and OperationTimeout if the server does not list its tools.
   */
  find(botId: string, server: string, tool: string): Promise<FoundRemoteTool | null>
  /** Lists the tools of a server now, and stores them. */
  refresh(workspaceId: string, server: McpServer): Promise<Record<string, RemoteTool>>
}

interface FoundRemoteTool {
  tool: RemoteTool
  call(input: Json): Promise<Json>
}

const freshSeconds = 300
/** An unknown tool does not make the server list its tools more often than this. */
const pauseSeconds = 10
const maxTools = 500
const maxPages = 50
const maxListBytes = 2 * 1_048_576
const maxResultBytes = 1_048_576
const maxNameLength = 128

export function openRemoteTools(deps: RemoteToolsDeps): RemoteTools {
  const refreshing = new Map<string, Promise<Record<string, RemoteTool>>>()
  const refresh: RemoteTools['refresh'] = (workspaceId, server) => {
    const key = JSON.stringify([server.bot_id, server.name, server.url])
    const running = refreshing.get(key)
    if (running) return running
    const started = listAndStore(deps, workspaceId, server).finally(() =>
      refreshing.delete(key),
    )
    refreshing.set(key, started)
    return started
  }
  return {
    refresh,
    async find(botId, server, name) {
      const found = await findTool(deps.db, botId, server, name)
      if (!found) return null
      const tool = isFresh(found) ? found.tool : await refreshed(refresh, found, name)
      if (!tool)
        throw new ApiError(
          'ReferenceNotFound',
          `MCP server "${server}" has no tool "${name}"`,
        )
      return { tool, call: (input) => callTool(deps, found, name, input) }
    },
  }
}

const isFresh = ({ tool, age }: FoundTool) =>
  age !== null && age < (tool ? freshSeconds : pauseSeconds)

/** A tool that is known stays callable while its server does not list its tools. */
async function refreshed(
  refresh: RemoteTools['refresh'],
  found: FoundTool,
  name: string,
) {
  try {
    const tools = await refresh(found.workspace_id, found)
    return Object.hasOwn(tools, name) ? tools[name]! : null
  } catch (error) {
    if (found.tool) return found.tool
    throw error
  }
}

async function listAndStore(deps: RemoteToolsDeps, workspaceId: string, row: McpServer) {
  const { listTools } = await import('./exchange.ts')
  const listed = await listTools(await toRemote(deps, workspaceId, row), {
    timeoutMs: deps.timeoutMs,
    maxBytes: maxListBytes,
    maxTools,
    maxPages,
    onToolsChanged() {},
  })
  const tools = toTools(listed)
  await storeTools(deps.db, row, tools)
  return tools
}

function toTools(listed: ListedTool[]): Record<string, RemoteTool> {
  if (listed.length > maxTools)
    throw new ApiError('Runtime', `The MCP server has more than ${maxTools} tools`)
  const entries = listed.flatMap(
    ({ name, title, description, inputSchema, outputSchema }) => {
      const tool = {
        inputSchema,
        ...(title && { title }),
        ...(description && { description }),
        ...(outputSchema && { outputSchema }),
      }
      return isUsable(name, tool) ? [[name, tool] as const] : []
    },
  )
  return Object.fromEntries(entries)
}

/** Tools that cannot be stored are left out: with lone surrogates, for example, or nested too deep. */
function isUsable(name: string, tool: RemoteTool): boolean {
  if (name === '' || name.length > maxNameLength || name === '__proto__') return false
  if (isDeeper(tool, maxJsonDepth)) return false
  try {
    rejectUnstorable({ name, tool }, '', 'tool')
    return true
  } catch (error) {
    if (error instanceof ApiError) return false
    throw error
  }
}

async function callTool(
  deps: RemoteToolsDeps,
  row: FoundTool,
  name: string,
  input: Json,
): Promise<Json> {
  const { callRemoteTool, quotable } = await import('./exchange.ts')
  const server = await toRemote(deps, row.workspace_id, row)
  let isChanged = false
  const onToolsChanged = () => {
    isChanged = true
  }
  const options = { timeoutMs: deps.timeoutMs, maxBytes: maxResultBytes, onToolsChanged }
  const result = await callRemoteTool(server, options, name, input)
  if (isChanged) await invalidateTools(deps.db, row)
  return toOutput(result, (text) => quotable(text, server.headers, maxReasonLength))
}

const maxReasonLength = 2_000

/**
 * Returns the structured content; for tools without it, all content and its text. Throws Runtime with
 * the reason of a failed tool, of which `toReason` makes a message.
 */
function toOutput(
  { content, structuredContent, isError }: ToolResult,
  toReason: (text: string) => string,
): Json {
  const text = content
    .flatMap((part) => (part.type === 'text' ? [String(part.text)] : []))
    .join('\n')
  if (isError)
    throw new ApiError('Runtime', toReason(text) || 'The tool failed without a reason')
  const output = structuredContent ?? { text, content }
  if (isDeeper(output, maxJsonDepth))
    throw new ApiError(
      'Runtime',
      `The result is nested deeper than ${maxJsonDepth} levels`,
    )
  return output
}

async function toRemote(
  { secrets, outgoing, reportNotAllowed }: RemoteToolsDeps,
  workspaceId: string,
  row: McpServer,
): Promise<RemoteServer> {
  const key = await openKey(row, secrets)
  const send = await outgoing.for(workspaceId)
  return {
    url: row.url,
    headers: key === null ? {} : toHeaders(key, row.key_header),
    send: (url, options) =>
      send(url, options).catch((error) => {
        if (error instanceof InvocationFailed && error.reason === 'not-allowed')
          reportNotAllowed(row.bot_id, error.detail)
        throw error
      }),
  }
}

const toHeaders = (key: string, header: string | null): Record<string, string> =>
  header === null ? { authorization: `Bearer ${key}` } : { [header.toLowerCase()]: key }
