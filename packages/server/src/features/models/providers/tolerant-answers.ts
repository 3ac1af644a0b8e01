// Repairs answers of servers that are compatible with OpenAI only in part, before the package reads
// them: arguments that are objects, absent ids, the last event of a stream without a blank line, and
// errors with the status 200 in any form.
import { reasonIn } from './error-bodies.ts'

// biome-ignore lint/suspicious/noExplicitAny: any JSON
type Json = any

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null

/** Repairs the answers of Chat Completions. Other answers pass unchanged. */
export const tolerant = (fetch: typeof globalThis.fetch): typeof globalThis.fetch =>
  (async (input, init) => {
    const response = await fetch(input, init)
    if (
      !response.ok ||
      !response.body ||
      !/\/chat\/completions(?:\?|$)/.test(String(input))
    )
      return response
    return isForStream(init?.body)
      ? withBody(response, response.body.pipeThrough(toRepairedEvents()))
      : withBody(response, repairText(await response.text(), false))
  }) as typeof globalThis.fetch

/** Within texts of a body in JSON, quotation marks have a backslash. */
const isForStream = (body: unknown) =>
  typeof body === 'string' && body.includes('"stream":true')

const withBody = (
  { status, headers }: Response,
  body: ReadableStream<unknown> | string,
) => {
  const kept = new Headers(headers)
  kept.delete('content-length')
  return new Response(body as ConstructorParameters<typeof Response>[0], {
    status,
    headers: kept,
  })
}

/**
 * Repairs each event that is JSON. An answer that is JSON itself becomes one event: some servers do
 * not stream, or not with tools. Their content types do not always say so.
 */
function toRepairedEvents(): TransformStream<Uint8Array, Uint8Array> {
  const [decoder, encoder] = [new TextDecoder(), new TextEncoder()]
  let rest = ''
  let isJson: boolean | null = null
  return new TransformStream({
    transform(bytes, controller) {
      const text = decoder.decode(bytes, { stream: true })
      isJson ??= /^\s*[[{]/.test(rest + text) || (/\S/.test(text) ? false : null)
      if (isJson !== false || !text.includes('\n')) {
        rest += text
        return
      }
      const lines = (rest + text).split('\n')
      rest = lines.pop()!
      controller.enqueue(
        encoder.encode(lines.map((line) => `${repairLine(line)}\n`).join('')),
      )
    },
    // The last event may have no blank line after it.
    flush(controller) {
      const last = isJson ? `data: ${toLine(repairText(rest, true))}` : repairLine(rest)
      controller.enqueue(encoder.encode(`${last}\n\n`))
    },
  })
}

const toLine = (text: string) => text.replaceAll(/[\r\n]+/g, ' ')

function repairLine(line: string): string {
  const [, data] = /^data: ?(.*?)\r?$/s.exec(line) ?? []
  return data && /^[[{]/.test(data) ? `data: ${repairText(data, true)}` : line
}

function repairText(text: string, isStreamed: boolean): string {
  let answer: Json
  try {
    answer = JSON.parse(text)
  } catch {
    return text
  }
  if (!isObject(answer)) return text
  if (!Array.isArray(answer.choices)) {
    const reason = reasonIn(text)
    if (reason) return JSON.stringify({ error: { message: reason } })
    if (!isStreamed || Array.isArray(answer)) return text
    answer.choices = []
  }
  for (const field of ['id', 'model'])
    if (typeof answer[field] !== 'string') delete answer[field]
  if (typeof answer.created !== 'number') delete answer.created
  for (const choice of answer.choices)
    if (isObject(choice)) repairChoice(choice, isStreamed)
  return JSON.stringify(answer)
}

function repairChoice(choice: Json, isStreamed: boolean): void {
  const isWhole = isObject(choice.message)
  // Some servers send whole messages in a stream.
  if (isStreamed && isWhole && !isObject(choice.delta)) choice.delta = choice.message
  for (const message of [choice.message, choice.delta])
    if (isObject(message)) repairMessage(message, isWhole)
}

function repairMessage(message: Json, isWhole: boolean): void {
  if (message.role !== 'assistant') delete message.role
  if (isObject(message.function_call) && !message.tool_calls)
    message.tool_calls = [{ index: 0, type: 'function', function: message.function_call }]
  if (Array.isArray(message.tool_calls))
    for (const call of message.tool_calls) if (isObject(call)) repairCall(call, isWhole)
}

/** In a stream, a part of a call has no id, and no arguments yet. */
function repairCall(call: Json, isWhole: boolean): void {
  if (isWhole && !call.id) delete call.id
  if (!isObject(call.function)) return
  const { arguments: sent } = call.function
  if (isObject(sent)) call.function.arguments = JSON.stringify(sent)
  else if (isWhole && typeof sent !== 'string') call.function.arguments = '{}'
}
