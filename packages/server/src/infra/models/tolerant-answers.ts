// Repairs answers of servers that are compatible with OpenAI only in part, before the package reads
// them: arguments that are objects, absent ids, the last event of a stream without a blank line, and
// errors with the status 200 in any form.
import { reasonIn } from './error-bodies.ts'

// biome-ignore lint/suspicious/noExplicitAny: any JSON
type Json = any

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null

const jsonType = /^application\/(?:[\w.]+\+)?json\b/i

/** Repairs the answers of Chat Completions. Other answers pass unchanged. */
export const tolerant = (fetch: typeof globalThis.fetch): typeof globalThis.fetch =>
  (async (input, init) => {
    const response = await fetch(input, init)
    if (!response.ok || !response.body || !/\/chat\/completions(?:\?|$)/.test(String(input)))
      return response
    const type = response.headers.get('content-type') ?? ''
    if (/^text\/event-stream\b/i.test(type))
      return withBody(response, response.body.pipeThrough(toRepairedEvents()))
    return jsonType.test(type) ? withBody(response, repairText(await response.text())) : response
  }) as typeof globalThis.fetch

const withBody = ({ status, headers }: Response, body: ReadableStream<unknown> | string) => {
  const kept = new Headers(headers)
  kept.delete('content-length')
  return new Response(body as ConstructorParameters<typeof Response>[0], { status, headers: kept })
}

/** Repairs each event that is JSON. */
function toRepairedEvents(): TransformStream<Uint8Array, Uint8Array> {
  const [decoder, encoder] = [new TextDecoder(), new TextEncoder()]
  let rest = ''
  return new TransformStream({
    transform(bytes, controller) {
      const text = decoder.decode(bytes, { stream: true })
      if (!text.includes('\n')) {
        rest += text
        return
      }
      const lines = (rest + text).split('\n')
      rest = lines.pop()!
      controller.enqueue(encoder.encode(lines.map((line) => `${repairLine(line)}\n`).join('')))
    },
    // The last event may have no blank line after it.
    flush(controller) {
      controller.enqueue(encoder.encode(`${repairLine(rest)}\n\n`))
    },
  })
}

function repairLine(line: string): string {
  const [, data] = /^data: ?(.*?)\r?$/s.exec(line) ?? []
  return data?.startsWith('{') ? `data: ${repairText(data)}` : line
}

function repairText(text: string): string {
  let answer: Json
  try {
    answer = JSON.parse(text)
  } catch {
    return text
  }
  if (!isObject(answer)) return text
  if (!Array.isArray(answer.choices)) {
    const reason = reasonIn(text)
    return reason ? JSON.stringify({ error: { message: reason } }) : text
  }
  for (const field of ['id', 'model']) if (typeof answer[field] !== 'string') delete answer[field]
  if (typeof answer.created !== 'number') delete answer.created
  for (const choice of answer.choices) if (isObject(choice)) repairChoice(choice, answer.object)
  return JSON.stringify(answer)
}

function repairChoice(choice: Json, object: unknown): void {
  // Some servers send whole messages in a stream.
  if (object !== 'chat.completion' && choice.delta === undefined) choice.delta = choice.message
  const isWhole = isObject(choice.message)
  for (const message of [choice.message, choice.delta]) {
    if (!isObject(message)) continue
    if (isObject(message.function_call) && !message.tool_calls && isWhole)
      message.tool_calls = [{ type: 'function', function: message.function_call }]
    if (Array.isArray(message.tool_calls))
      for (const call of message.tool_calls) if (isObject(call)) repairCall(call, isWhole)
  }
}

/** In a stream, a part of a call has no id, and no arguments yet. */
function repairCall(call: Json, isWhole: boolean): void {
  if (isWhole && !call.id) delete call.id
  if (!isObject(call.function)) return
  const { arguments: sent } = call.function
  if (isObject(sent)) call.function.arguments = JSON.stringify(sent)
  else if (isWhole && typeof sent !== 'string') call.function.arguments = '{}'
}
