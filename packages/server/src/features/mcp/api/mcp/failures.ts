// Errors as clients of the Model Context Protocol see them.
import type { ApiError } from '@botstead/contract'
import {
  type CallToolResult,
  ErrorCode,
  McpError,
} from '@modelcontextprotocol/sdk/types.js'
import { errorReplies } from '../../../../core/http/index.ts'
import type { McpContext } from './caller.ts'

/** Logs an unexpected error. Its message is then an id in the log. */
export function toSafeError(
  { services }: McpContext,
  thrown: unknown,
): { error: ApiError; text: string } {
  const error = errorReplies.toApiError(thrown)
  const { id, message } = errorReplies.toBody(error)
  if (error.type !== 'Internal') return { error, text: message }
  services.log.error({ err: thrown, errorId: id }, 'a message of an MCP client failed')
  return { error, text: `${message} (${id})` }
}

/** The result of a call that fails, which the model reads. */
export function toToolError(context: McpContext, thrown: unknown): CallToolResult {
  const { text } = toSafeError(context, thrown)
  return { content: [{ type: 'text', text }], isError: true }
}

/** The protocol's error for a resource that does not exist. */
const resourceNotFound = -32_002

/** Runs the work of a request, and converts its errors to errors of the protocol. */
export async function protocolErrors<Result>(
  context: McpContext,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (thrown) {
    if (thrown instanceof McpError) throw thrown
    const { error, text } = toSafeError(context, thrown)
    throw new McpError(toErrorCode(error), text)
  }
}

function toErrorCode({ type, code }: ApiError): number {
  if (type === 'ResourceNotFound') return resourceNotFound
  return code < 500 ? ErrorCode.InvalidParams : ErrorCode.InternalError
}
