// Describes tools of MCP servers by the schemas that the server stores.

import { schemaFault } from '../check/schema-validator.ts'
import type { JsonSchema } from '../document/shapes.ts'
import { PlatformRejection } from '../engine/platform.ts'
import type { Engine, Turn } from '../engine/turn.ts'

interface RemoteTool {
  description?: string | undefined
  parameters: JsonSchema
}

const freshMs = 300_000
const anyInput: RemoteTool = { parameters: { type: 'object' } }
const known = new WeakMap<Engine, Map<string, { at: number; tool: RemoteTool }>>()

/** A tool that the server cannot describe accepts any input: a call of it names the fault. */
export async function describeRemoteTool(
  { engine, delivered, ...turn }: Turn,
  action: string,
): Promise<RemoteTool> {
  const tools = known.get(engine) ?? new Map()
  known.set(engine, tools)
  const found = tools.get(action)
  if (found && engine.now() - found.at < freshMs) return found.tool
  try {
    const path = `/v1/platform/mcp-tool?action=${encodeURIComponent(action)}`
    const answer = await engine.platform({ method: 'GET', path, cause: delivered.id })
    const { description, inputSchema } = answer.tool as Described
    const parameters = schemaFault(inputSchema) === null ? inputSchema : {}
    const tool = { description, parameters: { ...parameters, type: 'object' } }
    tools.set(action, { at: engine.now(), tool })
    return tool
  } catch (error) {
    if (!(error instanceof PlatformRejection)) throw error
    turn.trace.note({ kind: 'note', text: error.message })
    engine.log('warn', `The tool "${action}" has no schema: ${error.message}`)
    return anyInput
  }
}

interface Described {
  description?: string
  inputSchema: JsonSchema
}
