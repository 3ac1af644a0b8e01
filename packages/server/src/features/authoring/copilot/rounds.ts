// The rounds of a request: the model calls tools, the server performs them, until the model
// answers. After each round, everything is stored, so that a crash repeats at most one.
import type { LanguageModelV3Prompt } from '@ai-sdk/provider'
import { ApiError } from '@botstead/contract'
import type { Db } from '../../../core/db/index.ts'
import type { ModelServices } from '../../models/index.ts'
import { listTrials } from '../../studio/index.ts'
import type { ToolContext } from '../tools/tool.ts'
import { type DraftCopy, modelTools, performTool } from './copilot-tools.ts'
import { perDay, perRequest } from './limits.ts'
import { correction, systemPrompt } from './prompts.ts'
import {
  endRun,
  type Progress,
  type RunRow,
  type RunStep,
  storeRound,
  sumUseOfDay,
} from './runs.ts'
import { verify } from './verification.ts'

interface Working {
  db: Db
  models: ModelServices['models']
  row: RunRow
  context: ToolContext & { drafts: DraftCopy }
  signal: AbortSignal
  /** Notes for open pages that something was stored. */
  changed: () => void
}

type Message = LanguageModelV3Prompt[number]
type Called = { id: string; name: string; input: string }

/** Resolves when the request has ended, or when another one has taken or stopped it. */
export async function work(working: Working): Promise<void> {
  const { db, row } = working
  const progress = toProgress(row)
  for (;;) {
    const exceeded = await findExceeded(db, row, progress)
    if (exceeded)
      return void (await endRun(db, row, { state: 'failed', failure: exceeded }))
    const answer = await makeRound(working, progress)
    if (answer !== null && (await finish(working, progress, answer))) return
    if (!(await store(working, progress))) return
  }
}

function toProgress(row: RunRow): Progress {
  const first = { role: 'user', content: [{ type: 'text', text: row.request }] }
  return {
    text: row.text,
    steps: row.steps as unknown as RunStep[],
    messages: (row.messages as unknown as object[] | null) ?? [first],
    rounds: row.rounds,
    inputTokens: row.input_tokens,
    outputTokens: row.output_tokens,
    cost: row.cost,
  }
}

/** Returns the limit that is reached. */
async function findExceeded(
  db: Db,
  row: RunRow,
  progress: Progress,
): Promise<string | null> {
  const tokens = progress.inputTokens + progress.outputTokens
  if (progress.rounds >= perRequest.rounds)
    return `The request needs more than ${perRequest.rounds} rounds: ask for less at once`
  if (tokens >= perRequest.tokens)
    return `The request needs more than ${perRequest.tokens} tokens: ask for less at once`
  if (progress.cost >= perRequest.dollars)
    return `The request costs more than ${perRequest.dollars} dollars: ask for less at once`
  const used = await sumUseOfDay(db, row.bot_id)
  if (used.tokens >= perDay.tokens || used.dollars >= perDay.dollars)
    return 'The allowance of this bot for the day is used up: continue tomorrow'
  return null
}

/** Returns the answer of the model; null if it called tools. */
async function makeRound(working: Working, progress: Progress): Promise<string | null> {
  const { output, toolCalls, usage, inputCost, outputCost } = await generate(
    working,
    progress,
  )
  progress.rounds++
  progress.inputTokens += usage.inputTokens
  progress.outputTokens += usage.outputTokens
  progress.cost += inputCost + outputCost
  progress.messages.push(toAssistant(output, toolCalls))
  if (toolCalls.length === 0) return output
  for (const call of toolCalls.slice(0, maxCalls)) await perform(working, progress, call)
  for (const { id, name } of toolCalls.slice(maxCalls))
    progress.messages.push(
      toToolMessage(id, name, `{"error": "At most ${maxCalls} calls at once"}`),
    )
  progress.text = working.context.drafts.change
  return null
}

const maxCalls = 20
const timeoutMs = 180_000

const generate = ({ models, row, context, signal }: Working, { messages }: Progress) =>
  models.generateText(
    {
      workspaceId: context.workspaceId,
      botId: row.bot_id,
      eventId: null,
      conversationId: null,
      userId: null,
      source: 'copilot',
    },
    {
      models: ['auto'],
      options: {
        prompt: [{ role: 'system', content: systemPrompt }, ...(messages as Message[])],
        tools: modelTools,
        toolChoice: { type: 'auto' },
      },
      reasoningEffort: null,
      searches: false,
      excludedDomains: [],
      firstTokenMs: timeoutMs,
      idleMs: timeoutMs,
      midStreamFallback: false,
      skipCache: true,
      transcriptionModel: 'auto',
      signal,
    },
  )

const toAssistant = (output: string, calls: Called[]): Message => ({
  role: 'assistant',
  content: [
    ...(output === '' ? [] : [{ type: 'text' as const, text: storable(output) }]),
    ...calls.map(({ id, name, input }) => ({
      type: 'tool-call' as const,
      toolCallId: id,
      toolName: name,
      input: toObject(input),
    })),
  ],
})

/** Providers demand an object, also of a call that failed because of its input. */
function toObject(input: string): object {
  try {
    const value: unknown = JSON.parse(input || '{}', (_, one) =>
      typeof one === 'string' ? storable(one) : one,
    )
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  } catch {
    // The result of the call explains it.
  }
  return { invalid: storable(input.slice(0, 2_000)) }
}

/** The database has no such characters. */
const storable = (text: string) => text.toWellFormed().replaceAll('\0', '')

const toToolMessage = (toolCallId: string, toolName: string, value: string): Message => ({
  role: 'tool',
  content: [
    {
      type: 'tool-result',
      toolCallId,
      toolName,
      output: { type: 'text', value: storable(value) },
    },
  ],
})

/** Characters of a result that the model reads. */
const maxResult = 40_000

async function perform({ context, row, db }: Working, progress: Progress, call: Called) {
  const reach = { botId: row.bot_id, trials: await listTrials(db, row.bot_id) }
  const { result, failed } = await performTool(context, reach, call)
  const text = JSON.stringify(result)
  const short =
    text.length > maxResult
      ? `${text.slice(0, maxResult).toWellFormed()}… (shortened)`
      : text
  progress.messages.push(toToolMessage(call.id, call.name, short))
  const step = {
    at: new Date().toISOString(),
    tool: storable(call.name.slice(0, 64)),
    failed,
  }
  progress.steps.push({ ...step, outcome: storable(toOutcome(result)) })
}

/** For the person who waits. It has no texts that the tool has read. */
function toOutcome(result: Record<string, unknown>): string {
  const { error, problems, passed, results } = result as {
    error?: { message: string }
    problems?: unknown[]
    passed?: number
    results?: unknown[]
  }
  if (error) return error.message.slice(0, 300).toWellFormed()
  if (results && passed !== undefined)
    return `${passed} of ${results.length} tests passed`
  if (problems)
    return problems.length === 0 ? 'no problems' : `${problems.length} problems`
  return ''
}

/** Returns false if the model must correct its document. */
async function finish(
  working: Working,
  progress: Progress,
  answer: string,
): Promise<boolean> {
  const { db, row, context } = working
  if (context.drafts.change === null) {
    await store(working, progress)
    await endRun(db, row, { state: 'done', answer })
    return true
  }
  const verified = await verify(context, row.bot_id)
  const at = new Date().toISOString()
  if ('faults' in verified) {
    const text = storable(correction(verified.faults.slice(0, maxResult)))
    progress.messages.push({ role: 'user', content: [{ type: 'text', text }] } as Message)
    progress.steps.push({
      at,
      tool: 'verify',
      outcome: storable(verified.faults.slice(0, 300)),
      failed: true,
    })
    return false
  }
  const { passedTests } = verified
  progress.steps.push({
    at,
    tool: 'verify',
    outcome: `${passedTests} tests passed`,
    failed: false,
  })
  if (await store(working, progress))
    await endRun(db, row, { state: 'done', answer, passedTests })
  return true
}

/** Returns false if the request was stopped, or is another server's. Throws LimitExceeded. */
async function store(
  { db, row, changed }: Working,
  progress: Progress,
): Promise<boolean> {
  if (progress.text !== null && progress.text.length > maxText)
    throw new ApiError(
      'LimitExceeded',
      `The document would have more than ${maxText} characters`,
    )
  const isHeld = await storeRound(db, row, progress)
  changed()
  return isHeld
}

const maxText = 5_000_000
