// Reading what documents may name, and what bots have done.
import { admin, files, platform, runtime, tables } from '@botstead/contract'
import { preview } from '@botstead/flows/seeing'
import {
  type AuthoringTool,
  bot,
  type Json,
  rejectOtherWorkspaces,
  type ToolContext,
} from './tool.ts'
import { toAnswer } from './traced-answers.ts'

export const listBots: AuthoringTool = {
  name: 'list_bots',
  title: 'List the bots of the workspace',
  description: 'Newest first. `nextToken` continues the list',
  properties: { nextToken: { type: 'string', maxLength: 2_000 } },
  permissions: ['bots.list'],
  isReading: true,
  async perform({ call }, { nextToken }: { nextToken?: string }) {
    const query = { ...(nextToken !== undefined && { nextToken }) }
    const { bots, meta } = await call(admin.bots.listBots, { query })
    return {
      bots: bots.map(({ id, name, updatedAt }) => ({ id, name, updatedAt })),
      ...meta,
    }
  },
}

const maxTurns = 10

export const readTrace: AuthoringTool = {
  name: 'read_trace',
  title: 'Read the trace of a conversation',
  description:
    'Returns the last turns of a conversation of the bot, newest first: the message of the ' +
    'person, the answers, the nodes and cards of the turn, its failures and log lines. For a ' +
    'conversation of `talk`, `bot` is its `testBot`',
  properties: {
    bot,
    conversation: { type: 'string', minLength: 1, maxLength: 64 },
    turns: {
      type: 'integer',
      minimum: 1,
      maximum: maxTurns,
      description: '3 by default',
    },
  },
  required: ['bot', 'conversation'],
  permissions: ['conversations.read', 'data.read'],
  isReading: true,
  async perform(context, input: { bot: string; conversation: string; turns?: number }) {
    const { bot: botId, conversation, turns = 3 } = input
    await rejectOtherWorkspaces(context, botId)
    const inside = { botId }
    // Rejects unknown conversations, for which the list would be empty.
    await context.call(
      runtime.conversations.getConversation,
      { params: { id: conversation } },
      inside,
    )
    const query = { conversationId: conversation }
    const { messages } = await context.call(
      runtime.messages.listMessages,
      { query },
      inside,
    )
    const asked = messages
      .filter(({ direction }) => direction === 'incoming')
      .slice(0, turns)
    const read = asked.map(async ({ id, type, payload, createdAt }) => {
      const { trace } = await context.call(
        platform.traces.getMessageTrace,
        { params: { id } },
        inside,
      )
      const message = preview(type, payload).slice(0, 4_000)
      return { at: createdAt, message, ...(trace && toAnswer(trace)) }
    })
    return { turns: await Promise.all(read) }
  },
}

export const listNames: AuthoringTool = {
  name: 'list_names',
  title: 'List what a document may name',
  description:
    'Lists tables with their columns, knowledge bases, and actions of the integrations and MCP ' +
    'servers of the bot, as `alias:action` with the schema of their input; without `kind` all of them',
  properties: {
    bot,
    kind: { enum: ['tables', 'knowledgeBases', 'actions'], type: 'string' },
  },
  required: ['bot'],
  permissions: ['bots.read'],
  isReading: true,
  async perform(
    context,
    { bot: botId, kind }: { bot: string; kind?: keyof typeof lists },
  ) {
    await rejectOtherWorkspaces(context, botId)
    if (kind) return lists[kind](context, botId)
    const found = await Promise.all(
      Object.values(lists).map((list) => list(context, botId)),
    )
    return Object.assign({}, ...found) as Json
  },
}

const lists = {
  async tables({ call }: ToolContext, botId: string): Promise<Json> {
    const found = await call(tables.tables.listTables, {}, { botId })
    return {
      tables: found.tables.slice(0, 200).map(({ name, schema }) => ({ name, schema })),
    }
  },
  async knowledgeBases({ call }: ToolContext, botId: string): Promise<Json> {
    const found = await call(files.knowledgeBases.listKnowledgeBases, {}, { botId })
    return { knowledgeBases: found.knowledgeBases.map(({ name }) => name) }
  },
  async actions(context: ToolContext, botId: string): Promise<Json> {
    const actions = [
      ...(await listIntegrationActions(context, botId)),
      ...(await listServerActions(context, botId)),
    ]
    return { actions: actions.slice(0, 300) }
  },
}

async function listIntegrationActions(
  { call }: ToolContext,
  botId: string,
): Promise<Json[]> {
  // Keys them by alias.
  const headers = { 'x-multiple-integrations': 'true' }
  const { bot: found } = await call(admin.bots.getBot, { params: { id: botId }, headers })
  const listed = Object.entries(found.integrations).map(
    async ([alias, { id, enabled, ...installed }]) => {
      if (!enabled) return []
      const { integration } = await call(
        installed.public
          ? admin.hubIntegrations.getPublicIntegrationById
          : admin.integrations.getIntegration,
        { params: { id } },
      )
      return Object.entries(integration.actions).map(
        ([name, { description, input }]) => ({
          action: `${alias}:${name}`,
          ...(description && { description }),
          input: input.schema,
        }),
      )
    },
  )
  return (await Promise.all(listed)).flat()
}

async function listServerActions({ call }: ToolContext, botId: string): Promise<Json[]> {
  const { servers } = await call(platform.mcp.listMcpServers, { params: { botId } })
  const listed = servers.map(async ({ name }) => {
    const { tools = [] } = await call(platform.mcp.getMcpServer, {
      params: { botId, name },
      query: {},
    })
    return tools.map(({ action, description, inputSchema }) => ({
      action,
      ...(description && { description }),
      input: inputSchema,
    }))
  })
  return (await Promise.all(listed)).flat()
}
