// A tool for programs that write bots: of the MCP server for coding agents, and of the copilot.
import { ApiError, type Permission } from '@botstead/contract'
import type { createOperationCalls, HttpServices } from '../../../core/http/index.ts'
import type { DraftSource } from '../draft-source.ts'

export type Json = Record<string, unknown>

export interface ToolContext {
  /** As the person whose program calls the tool. */
  call: ReturnType<typeof createOperationCalls>
  workspaceId: string
  accountId: string
  drafts: DraftSource
  services: Pick<HttpServices, 'callers' | 'userKeys'>
}

export interface AuthoringTool {
  name: string
  title: string
  description: string
  /** Properties of the input, as JSON Schema. */
  properties: Record<string, Json>
  required?: string[]
  /**
   * Those of the operations that it performs. Programs of people without them do not see the tool.
   */
  permissions: Permission[]
  /** Whether it changes nothing. */
  isReading: boolean
  perform(context: ToolContext, input: never): Promise<Json>
}

interface InputSchema extends Json {
  type: 'object'
  properties: Record<string, Json>
  required: string[]
}

/** Each once, because validators are compiled by schema. */
const inputSchemas = new WeakMap<AuthoringTool, InputSchema>()

export function toInputSchema(tool: AuthoringTool): InputSchema {
  const known = inputSchemas.get(tool)
  if (known) return known
  const { properties, required = [] } = tool
  const schema = {
    type: 'object' as const,
    properties,
    required,
    additionalProperties: false,
  }
  inputSchemas.set(tool, schema)
  return schema
}

export const bot = {
  type: 'string',
  minLength: 1,
  maxLength: 64,
  description: 'Id of the bot',
}

/**
 * Throws ResourceNotFound for a bot outside of the workspace: the operations inside of bots would
 * admit members of several workspaces.
 */
export async function rejectOtherWorkspaces(
  { services: { callers }, workspaceId }: Pick<ToolContext, 'services' | 'workspaceId'>,
  botId: string,
): Promise<void> {
  if ((await callers.workspace(botId)) !== workspaceId)
    throw new ApiError('ResourceNotFound', `Bot "${botId}" was not found`)
}
