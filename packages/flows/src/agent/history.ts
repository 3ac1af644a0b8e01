// The stored state of an agent: its messages, in a bounded size, and the tool calls of the last
// reply that have not ended. It is part of the conversation's state, so that an interrupted turn
// continues with the next call.
import type { ModelMessage, ToolCall } from '@botstead/contract'
import { CodeError } from '../code/code-error.ts'
import { type CognitiveReply, ModelFailed } from '../models/models.ts'
import { toStorable, toStorableText } from '../models/storable.ts'
import type { AgentState, AgentUse } from './agent-state.ts'

const unused = (): AgentUse => ({ iterations: 0, tokens: 0, dollars: 0, ms: 0 })

/** Maximum size of the stored messages. A state may have 128 KB under strict limits. */
const maxHistoryBytes = 64 * 1024
const maxResultLength = 10_000
/** Further calls of one reply are dropped. */
const maxCalls = 20

export const openAgentState = (text: string): AgentState => ({
  messages: [{ role: 'user', content: text }],
  calls: [],
  used: unused(),
})

/** Adds a message of the user. All limits count from it. */
export function addUserMessage(agent: AgentState, text: string): void {
  add(agent, { role: 'user', content: text })
  agent.used = unused()
  delete agent.sentAnswers
}

/** Adds a reply of the model, which becomes the work of the next steps. */
export function addReply(
  agent: AgentState,
  { output, toolCalls = [], metadata }: CognitiveReply,
) {
  const calls = toolCalls.slice(0, maxCalls).map(toStorableCall)
  const text = toStorableText(output).trim()
  agent.calls = calls
  if (text !== '') agent.text = text
  if (text !== '' || calls.length > 0) add(agent, toMessage(text, calls))
  agent.used.iterations += 1
  agent.used.tokens += metadata.usage.inputTokens + metadata.usage.outputTokens
  agent.used.dollars += metadata.cost
}

function toStorableCall(call: ToolCall): ToolCall {
  try {
    return toStorable(call) as ToolCall
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new ModelFailed(
      'unsuitable',
      `The input of the tool "${call.name}" is nested too deeply`,
    )
  }
}

const toMessage = (content: string, calls: ToolCall[]): ModelMessage =>
  calls.length === 0
    ? { role: 'assistant', content }
    : {
        role: 'assistant',
        type: 'tool_calls',
        content,
        toolCalls: calls.map(({ id, name, input }) => ({
          id,
          type: 'function',
          function: { name, arguments: input },
        })),
      }

/** Ends the first call with a result for the model. Does nothing if another call is the first. */
export function endToolCall(
  agent: AgentState | undefined,
  id: string,
  result: unknown,
): void {
  if (agent?.calls[0]?.id !== id) return
  agent.calls.shift()
  delete agent.isStarted
  const content = cut(JSON.stringify(result) ?? 'null')
  add(agent, { role: 'user', type: 'tool_result', toolResultCallId: id, content })
}

/** Ends the first call with a curated answer that the user got. It is the agent's text after the last call. */
export function addSentAnswer(
  agent: AgentState,
  { id, text, buttons }: { id: string; text: string; buttons: { label: string }[] },
): void {
  const labels = buttons.map(({ label }) => label)
  endToolCall(agent, agent.calls[0]!.id, {
    answer: text,
    ...(labels.length > 0 && { buttons: labels }),
    note: 'The user has received this answer. Do not repeat it.',
  })
  agent.sentAnswers = [...(agent.sentAnswers ?? []), id]
  if (agent.calls.length === 0) add(agent, { role: 'assistant', content: text })
}

/** Ends the first call with an error. The model does not see the lines of the author's code. */
export function failToolCall(
  agent: AgentState | undefined,
  id: string,
  error: unknown,
): string {
  const full = error instanceof Error ? error.message : String(error)
  const message = error instanceof CodeError ? error.bareMessage : full
  endToolCall(agent, id, { error: message })
  return message
}

/**
 * Ends the work on the last message, so that the agent can continue with the next one: a model
 * requires a result for each call, and the user did not get a text that was not sent.
 */
export function interrupt(agent: AgentState): void {
  for (const { id } of [...agent.calls])
    endToolCall(agent, id, {
      error: agent.isStarted ? unknownResult : 'The user stopped the answer',
    })
  if (agent.text !== undefined && agent.messages.at(-1)?.role === 'assistant')
    agent.messages.pop()
  delete agent.text
  delete agent.stream
}

export const unknownResult =
  'The call was interrupted, and its result is unknown: it may have had its effect. ' +
  'Check this before you call the tool again'

export const cut = (text: string) =>
  text.length > maxResultLength
    ? `${text.slice(0, maxResultLength).toWellFormed()}… (${text.length - maxResultLength} more characters)`
    : text

/**
 * Adds a message. Above the maximum size, removes the oldest exchanges, then the contents of the
 * oldest results of the last exchange.
 */
function add({ messages }: AgentState, message: ModelMessage): void {
  messages.push(message)
  let bytes = countBytes(messages)
  while (bytes > maxHistoryBytes) {
    const next = messages.findIndex((one, index) => index > 0 && isOfUser(one))
    if (next < 0) break
    bytes -= countBytes(messages.splice(0, next))
  }
  for (const old of messages.filter(({ type }) => type === 'tool_result')) {
    if (bytes <= maxHistoryBytes) return
    bytes -= countBytes(old.content) - countBytes(removed)
    old.content = removed
  }
}

const removed = '(removed: the history is too long)'
const isOfUser = ({ role, type }: ModelMessage) =>
  role === 'user' && type !== 'tool_result'
const countBytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value) ?? '')
