// The tools of the copilot: those of coding agents, on a copy of the draft and in one bot. None
// publishes, and none names a bot, so that no text that the model reads can lead it elsewhere.
import type { LanguageModelV3FunctionTool } from '@ai-sdk/provider'
import { ApiError } from '@botstead/contract'
import { findMismatchHere } from '../../../core/compute/index.ts'
import type { DraftSource, DraftState, DraftText } from '../draft-source.ts'
import { type AuthoringTool, type ToolContext, toInputSchema } from '../tools/tool.ts'
import { authoringTools } from '../tools/tools.ts'

type Json = Record<string, unknown>

const offered = [
  'read_schema',
  'list_examples',
  'read_example',
  'read_draft',
  'list_names',
  'edit_draft',
  'check_document',
  'run_tests',
  'read_trace',
]
/** The server fills them in. */
const hidden = ['bot', 'revision', 'document']

const without = (tool: AuthoringTool): AuthoringTool => ({
  ...tool,
  properties: Object.fromEntries(
    Object.entries(tool.properties).filter(([name]) => !hidden.includes(name)),
  ),
  required: (tool.required ?? []).filter((name) => !hidden.includes(name)),
})

const tools = authoringTools.filter(({ name }) => offered.includes(name))
const shown = tools.map(without)

/** As models read them. */
export const modelTools: LanguageModelV3FunctionTool[] = shown.map((tool) => ({
  type: 'function' as const,
  name: tool.name,
  description: tool.description,
  inputSchema: toInputSchema(tool),
}))

interface Reach {
  botId: string
  /** The bots in which people try the draft; conversations with them have traces, too. */
  trials: string[]
}

/** Returns the result, or the error, which the model reads. */
export async function performTool(
  context: ToolContext,
  reach: Reach,
  call: { name: string; input: string },
): Promise<{ result: Json; failed: boolean }> {
  try {
    return { result: await perform(context, reach, call), failed: false }
  } catch (error) {
    if (!(error instanceof ApiError) || error.type === 'Internal') throw error
    const { draft: _, ...metadata } = error.metadata ?? {}
    return {
      result: { error: { type: error.type, message: error.message, metadata } },
      failed: true,
    }
  }
}

async function perform(
  context: ToolContext,
  { botId, trials }: Reach,
  call: { name: string; input: string },
): Promise<Json> {
  const at = shown.findIndex(({ name }) => name === call.name)
  if (at === -1)
    throw new ApiError(
      'ResourceNotFound',
      `There is no tool "${call.name.slice(0, 100)}"`,
    )
  const input = parse(call.input)
  const mismatch = findMismatchHere(toInputSchema(shown[at]!), input)
  if (mismatch) throw new ApiError('InvalidPayload', `input: ${mismatch}`)
  const tool = tools[at]!
  const needs = (name: string) => Object.hasOwn(tool.properties, name)
  const { revision } = await context.drafts.read(botId)
  const performIn = (bot: string) => {
    const filled = {
      ...input,
      ...(needs('bot') && { bot }),
      ...(needs('revision') && { revision }),
    }
    return tool.perform(context, filled as never)
  }
  const [trial] = trials
  if (tool.name !== 'read_trace' || trial === undefined) return performIn(botId)
  return performIn(botId).catch((error: unknown) => {
    if (error instanceof ApiError && error.type === 'ResourceNotFound')
      return performIn(trial)
    throw error
  })
}

function parse(input: string): Json {
  try {
    const value: unknown = JSON.parse(input || '{}')
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Json
  } catch {
    // explained below
  }
  throw new ApiError('InvalidPayload', 'The input of the tool must be a JSON object')
}

/** A draft in memory. `change` has the text if it differs from the one with which it began. */
export interface DraftCopy extends DraftSource {
  readonly change: string | null
}

export function openDraftCopy(base: DraftText, text: string | null): DraftCopy {
  let now = { text: text ?? base.text, format: base.format }
  let revision = 0
  const state = (): DraftState => ({
    ...now,
    revision,
    hasChanges: now.text !== base.text,
    publishedRevision: null,
  })
  return {
    get change() {
      return now.text === base.text ? null : now.text
    },
    read: async () => state(),
    readRevision: async () => now,
    async save(_botId, saved) {
      now = { text: saved.text, format: saved.format }
      revision++
      return state()
    },
  }
}
