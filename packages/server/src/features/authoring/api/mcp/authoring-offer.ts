// What the MCP server for coding agents offers. Loaded on demand, with the protocol's library.
import { ApiError, may } from '@botstead/contract'
import { clientAddress } from '@botstead/lib'
import {
  type CallToolResult,
  ErrorCode,
  McpError,
  type Tool,
} from '@modelcontextprotocol/sdk/types.js'
import { findMismatchHere } from '../../../../core/compute/index.ts'
import {
  type Caller,
  type Context,
  createOperationCalls,
  errorReplies,
  type HttpServices,
} from '../../../../core/http/index.ts'
import { loadMcpServer, type Offer } from '../../../mcp/index.ts'
import { openDraftSource } from '../../draft-source.ts'
import {
  type AuthoringTool,
  type Json,
  type ToolContext,
  toInputSchema,
} from '../../tools/tool.ts'
import { authoringTools } from '../../tools/tools.ts'

type AuthoringContext = Context<Caller<'workspace'>, HttpServices>

export async function answerAuthoringMessage(
  context: AuthoringContext,
  body: unknown,
): Promise<void> {
  const { answerMessage } = await loadMcpServer()
  await answerMessage(context, toOffer(context), body)
}

const instructions =
  'Tools to write bots of flows. Work in this order: read_schema, read_draft, edit_draft, ' +
  'run_tests, talk. Write a test for each behaviour that the person asks for. Publish only when ' +
  'the person asks for it.'

const toOffer = (context: AuthoringContext): Offer => ({
  name: 'botstead-authoring',
  instructions,
  listTools: async () => ({ tools: listAllowed(context).map(toTool) }),
  callTool: (name, input) => callTool(context, name, input),
})

/** Tools that need a permission which the caller lacks would always fail. */
const listAllowed = ({ caller }: AuthoringContext) =>
  authoringTools.filter(({ permissions }) =>
    permissions.every((one) => may(caller.role, one)),
  )

const toTool = (tool: AuthoringTool): Tool => ({
  name: tool.name,
  title: tool.title,
  description: tool.description,
  inputSchema: toInputSchema(tool),
  annotations: {
    readOnlyHint: tool.isReading,
    destructiveHint: tool.name === 'publish_draft',
    openWorldHint: false,
  },
})

async function callTool(
  context: AuthoringContext,
  name: string,
  input: Json,
): Promise<CallToolResult> {
  const tool = listAllowed(context).find((one) => one.name === name)
  if (!tool)
    throw new McpError(
      ErrorCode.InvalidParams,
      `Tool "${name.slice(0, 100)}" was not found`,
    )
  try {
    const given = withoutAbsent(input, tool)
    const mismatch = findMismatchHere(toInputSchema(tool), given)
    if (mismatch) throw new ApiError('InvalidPayload', `input: ${mismatch}`)
    return toResult(await withinTime(tool.perform(openContext(context), given as never)))
  } catch (error) {
    return toFailure(context, error)
  }
}

/** Some clients write absent arguments as null. */
const withoutAbsent = (input: Json, { required = [] }: AuthoringTool): Json =>
  Object.fromEntries(
    Object.entries(input).filter(
      ([name, value]) => value !== null || required.includes(name),
    ),
  )

function openContext({ services, caller, request }: AuthoringContext): ToolContext {
  const call = createOperationCalls({
    inject: services.inject,
    authorization: request.headers.authorization ?? '',
    workspaceId: caller.workspaceId,
    address: clientAddress(request.raw, services.config.trustProxy),
  })
  const { workspaceId, accountId } = caller
  return { call, workspaceId, accountId, drafts: openDraftSource(call), services }
}

/** Longer than each operation may take. */
const maxMs = 120_000

function withinTime<Result>(work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const ended = new Promise<never>((_, reject) => {
    const late = () =>
      reject(
        new ApiError(
          'OperationTimeout',
          `The tool took more than ${maxMs / 1_000} seconds`,
        ),
      )
    timer = setTimeout(late, maxMs)
  })
  return Promise.race([work, ended]).finally(() => clearTimeout(timer))
}

/** Characters of JSON. The result is sent twice: as a value, and as text for older clients. */
const maxOutput = 500_000

function toResult(output: Json): CallToolResult {
  const text = JSON.stringify(output)
  if (text.length > maxOutput)
    throw new ApiError(
      'LimitExceeded',
      `The result has ${text.length} characters of JSON; the maximum is ${maxOutput}: ask for a part`,
    )
  return { content: [{ type: 'text', text }], structuredContent: output }
}

/** The type tells a model what to do. Without `draft`, which may be long. */
async function toFailure(
  context: AuthoringContext,
  thrown: unknown,
): Promise<CallToolResult> {
  const { toSafeError } = await loadMcpServer()
  const { type, metadata: { draft: _, ...metadata } = {} } =
    errorReplies.toApiError(thrown)
  const { text: message } = toSafeError(context, thrown)
  const error = { type, message, ...(Object.keys(metadata).length > 0 && { metadata }) }
  return {
    content: [{ type: 'text', text: JSON.stringify(error) }],
    structuredContent: { error },
    isError: true,
  }
}
