import {
  ApiError,
  type Handlers,
  type McpServer,
  type McpTool,
  type platform,
} from '@botstead/contract'
import { botStore, storeMcpActions } from '../../../../core/bots/index.ts'
import type { Contexts, Services } from '../../../../core/http/index.ts'
import type { OutgoingServices } from '../../../../core/outgoing/index.ts'
import {
  deleteMcpServer,
  findMcpServer,
  listMcpServers,
  type McpServer as McpServerFields,
  type McpServerRow,
  type RemoteTool,
  setMcpServer,
} from '../../servers.ts'
import type { McpServices } from '../../services.ts'
import {
  type ActionTool,
  findChosenActions,
  findUnknownAction,
  listActionTools,
} from '../../tools.ts'

type Own = McpServices & OutgoingServices

/** Only people change servers: a bot's own code must not choose the addresses of this server. */
export const mcp: Handlers<typeof platform.mcp, Contexts<Own>> = {
  async listMcpServers({ services: { db }, caller }, { params }) {
    const { id } = await botStore.find(db, caller.workspaceId, params.botId)
    return { servers: (await listMcpServers(db, id)).map(toMcpServer) }
  },

  async getMcpServer({ services, caller }, { params, query }) {
    const { id } = await botStore.find(services.db, caller.workspaceId, params.botId)
    const row = await findMcpServer(services.db, id, params.name)
    if (!query.refresh) return withTools(row)
    await services.remoteTools.refresh(caller.workspaceId, row)
    return withTools(await findMcpServer(services.db, id, params.name))
  },

  async setMcpServer({ services, caller: { workspaceId } }, { params, body }) {
    const { db, secrets, outgoing } = services
    const bot = await botStore.find(db, workspaceId, params.botId)
    await outgoing.checkUrl(workspaceId, 'url', body.url)
    const row = await setMcpServer(
      db,
      secrets,
      { botId: bot.id, workspaceId },
      params.name,
      {
        ...body,
        enabled: body.enabled ?? true,
      },
    )
    return { server: toMcpServer(row) }
  },

  async deleteMcpServer({ services: { db }, caller }, { params }) {
    const { id } = await botStore.find(db, caller.workspaceId, params.botId)
    await deleteMcpServer(db, id, params.name)
    return {}
  },

  async getMcpTool({ services, caller }, { query: { action } }) {
    const [server, name] = [
      action.slice(0, action.indexOf(':')),
      action.slice(action.indexOf(':') + 1),
    ]
    const found = action.includes(':')
      ? await services.remoteTools.find(caller.botId, server, name)
      : null
    if (!found)
      throw new ApiError('ResourceNotFound', `The bot has no MCP server for "${action}"`)
    return { tool: toRemoteTool(server, name, found.tool) }
  },

  async getMcpTools({ services, caller }, { params }) {
    const { id } = await botStore.find(services.db, caller.workspaceId, params.botId)
    return listTools(services, id)
  },

  async setMcpTools({ services, caller }, { params, body }) {
    const { id } = await botStore.find(services.db, caller.workspaceId, params.botId)
    const unknown = await findUnknownAction(services.db, id, body.actions)
    if (unknown !== null)
      throw new ApiError(
        'ReferenceNotFound',
        `\`actions\`: no enabled integration of the bot has "${unknown}". Write alias:action`,
      )
    await storeMcpActions(services.db, id, body.actions)
    return listTools(services, id)
  },
}

async function listTools({ db }: Services, botId: string) {
  const tools = await listActionTools(db, botId)
  return { tools: tools.map(toOwnTool), actions: await findChosenActions(db, botId) }
}

const toOwnTool = ({
  name,
  type,
  title,
  description,
  ...schemas
}: ActionTool): McpTool => ({
  name,
  action: type,
  inputSchema: schemas.inputSchema,
  ...(title !== null && { title }),
  ...(description !== null && { description }),
  ...(schemas.outputSchema && { outputSchema: schemas.outputSchema }),
})

const withTools = (row: McpServerRow) => ({
  server: toMcpServer(row),
  tools: Object.entries(row.tools ?? {}).map(([name, tool]) =>
    toRemoteTool(row.name, name, tool),
  ),
})

const toRemoteTool = (server: string, name: string, tool: RemoteTool): McpTool => ({
  name,
  action: `${server}:${name}`,
  ...tool,
})

const toMcpServer = (row: McpServerFields): McpServer => ({
  name: row.name,
  url: row.url,
  enabled: row.enabled,
  hasKey: row.key !== null,
  ...(row.key_header !== null && { keyHeader: row.key_header }),
  ...(row.tools_at && { toolsListedAt: row.tools_at.toISOString() }),
  updatedAt: row.updated_at.toISOString(),
})
