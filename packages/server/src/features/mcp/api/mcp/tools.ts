// The tools of a bot: its actions, and a search of its files.
import { ApiError, type CuratedMatch, may, permissions } from '@botstead/contract'
import {
  type CallToolResult,
  ErrorCode,
  McpError,
  type Tool,
} from '@modelcontextprotocol/sdk/types.js'
import { findMismatchHere } from '../../../../core/compute/index.ts'
import { callAction } from '../../../../core/delivery/index.ts'
import { fileAccess } from '../../../../core/files/index.ts'
import { type Caller, parsePage } from '../../../../core/http/index.ts'
import { searchPassages } from '../../../knowledge/index.ts'
import { type ActionTool, listActionTools, searchTool } from '../../tools.ts'
import type { BotContext } from './caller.ts'
import { toToolError } from './failures.ts'
import { resourceUri } from './resources.ts'

type Json = Record<string, unknown>

const pageSize = 100
/** Maximum characters of an output. It is sent twice: as a value, and as text for older clients. */
const maxOutputLength = 1_000_000
const maxQueryBytes = 1_024

/** A page of the tools. The cursor is the last name of the page before. Throws InvalidQuery. */
export async function listTools(
  { services, caller }: BotContext,
  cursor: string | undefined,
) {
  const { position, token } = parsePage(services, ['mcp.tools', caller.botId], {
    nextToken: cursor,
  })
  const after = position?.[0] ?? ''
  const actions = await listActionTools(services.db, caller.botId)
  const all = [...actions.map(toTool), search].filter(({ name }) => name > after)
  const tools = all.toSorted(byName).slice(0, pageSize)
  return {
    tools,
    ...(all.length > pageSize && { nextCursor: token([tools.at(-1)!.name]) }),
  }
}

const byName = (a: Tool, b: Tool) => (a.name < b.name ? -1 : 1)

const toTool = (action: ActionTool): Tool => ({
  name: action.name,
  ...(action.title !== null && { title: action.title }),
  description: action.description ?? action.title ?? `Calls the action ${action.type}`,
  inputSchema: action.inputSchema as Tool['inputSchema'],
  ...(action.outputSchema && {
    outputSchema: action.outputSchema as Tool['outputSchema'],
  }),
})

/**
 * Calls a tool. An error of the call is a result, which the model reads. Throws McpError for an
 * unknown tool.
 */
export async function callTool(
  context: BotContext,
  name: string,
  input: Json,
): Promise<CallToolResult> {
  const perform = await findTool(context, name)
  if (!perform)
    throw new McpError(ErrorCode.InvalidParams, `Tool "${name}" was not found`)
  try {
    return toResult(await perform(input))
  } catch (error) {
    return toToolError(context, error)
  }
}

async function findTool(context: BotContext, name: string) {
  if (name === searchTool)
    return (input: Json) =>
      searchKnowledge(context, withoutAbsent(input, search.inputSchema))
  const { services, caller } = context
  const action = (await listActionTools(services.db, caller.botId)).find(
    (one) => one.name === name,
  )
  if (!action) return null
  return async (input: Json) => {
    requirePermission(caller)
    const given = withoutAbsent(input, action.inputSchema as ObjectSchema)
    return (await callAction(services, caller, action.type, given)).output
  }
}

interface ObjectSchema {
  properties?: Record<string, { type?: unknown }>
  required?: string[]
}

/** Some clients write absent arguments as null. Only a property that may be null keeps it. */
const withoutAbsent = (
  input: Json,
  { properties = {}, required = [] }: ObjectSchema,
): Json =>
  Object.fromEntries(
    Object.entries(input).filter(
      ([name, value]) =>
        value !== null ||
        required.includes(name) ||
        typeof properties[name]?.type !== 'string',
    ),
  )

const needed = 'data.write'

function requirePermission({ account }: Caller<'bot'>) {
  if (!account || may(account.role, needed)) return
  throw new ApiError(
    'Forbidden',
    `Calls of actions require the permission ${needed} (${permissions[needed].join(', ')}); your ` +
      `role is ${account.role}`,
  )
}

function toResult(output: Json): CallToolResult {
  const text = JSON.stringify(output)
  if (text.length > maxOutputLength)
    throw new ApiError(
      'Runtime',
      `The output has ${text.length} characters of JSON; the maximum is ${maxOutputLength}`,
    )
  return { content: [{ type: 'text', text }], structuredContent: output }
}

const search = {
  name: searchTool,
  title: 'Search knowledge',
  description:
    "Searches the bot's files and returns the best passages. If people wrote an answer to the question, " +
    'it is `curatedAnswer`: give it as it is',
  inputSchema: {
    type: 'object',
    properties: {
      query: {
        type: 'string',
        minLength: 1,
        description: 'Question, or words to search for',
      },
      limit: { type: 'integer', minimum: 1, maximum: 50, description: '10 by default' },
    },
    required: ['query'],
    additionalProperties: false,
  },
  outputSchema: {
    type: 'object',
    properties: {
      curatedAnswer: {
        type: 'object',
        properties: {
          question: { type: 'string' },
          text: { type: 'string' },
          buttons: {
            type: 'array',
            items: {
              type: 'object',
              properties: { label: { type: 'string' }, value: { type: 'string' } },
              required: ['label'],
            },
          },
          imageUrl: { type: 'string' },
        },
        required: ['question', 'text', 'buttons'],
      },
      passages: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            content: { type: 'string' },
            score: { type: 'number', description: 'Comparable within one answer only' },
            file: { type: 'string', description: 'Key of the file' },
            uri: { type: 'string', description: 'URI of the file as a resource' },
            page: { type: 'integer' },
          },
          required: ['content', 'score', 'file', 'uri'],
        },
      },
    },
    required: ['passages'],
  },
  annotations: { readOnlyHint: true, openWorldHint: false },
} satisfies Tool

const toAnswer = ({ question, text, buttons, imageUrl }: CuratedMatch) => ({
  question,
  text,
  buttons,
  ...(imageUrl !== undefined && { imageUrl }),
})

async function searchKnowledge(
  { services, caller, request }: BotContext,
  input: Json,
): Promise<Json> {
  const mismatch = findMismatchHere(search.inputSchema, input)
  if (mismatch) throw new ApiError('InvalidPayload', `input: ${mismatch}`)
  const { query, limit = 10 } = input as { query: string; limit?: number }
  if (Buffer.byteLength(query) > maxQueryBytes)
    throw new ApiError(
      'InvalidPayload',
      `\`query\` must have at most ${maxQueryBytes} bytes`,
    )
  const { viewer } = fileAccess(caller, request.headers)
  const { db, curatedAnswers } = services
  const [match, found] = await Promise.all([
    curatedAnswers.find(db, caller.botId, { question: query }),
    searchPassages(db, caller.botId, { query, limit, viewer }, services),
  ])
  return {
    ...(match && { curatedAnswer: toAnswer(match) }),
    passages: found.map(({ content, score, meta, file }) => ({
      content,
      score,
      file: file.key,
      uri: resourceUri(file.id),
      ...('pageNumber' in meta && { page: meta.pageNumber }),
    })),
  }
}
