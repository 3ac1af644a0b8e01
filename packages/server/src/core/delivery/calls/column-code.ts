// Runs the code of computed columns in the sandbox: one process for the tables of a bot, separate
// from the bot's own process, with no token and no secrets.
import type { HandlerResponse, Sandbox } from '@botstead/sandbox'

/** Timeout for computing one value, in milliseconds. */
const timeoutMs = 120_000

interface ColumnCode {
  code: string
  /** Column name → value; null for an empty cell. */
  row: Record<string, unknown>
}

/** A JSON value, or the error that the code threw. */
type Computation = { value: unknown } | { error: string }

/**
 * Runs the code of one column for one row. Throws InvocationFailed if the process sends no reply.
 */
export type RunCode = (botId: string, given: ColumnCode) => Promise<Computation>

/** Second part of the names of these processes; the first is the bot's id. */
export const tablesMark = 'tables'

/** Creates the runner. `trust` throws InvocationFailed if the code of the bot may not run here. */
export function createColumnCode(
  sandbox: Pick<Sandbox, 'invoke'>,
  { memoryMb, trust }: { memoryMb: number; trust: (botId: string) => Promise<void> },
): RunCode {
  return async (botId, given) => {
    const load = async () => {
      await trust(botId)
      return Buffer.from(host)
    }
    const unit = {
      key: `${botId} ${tablesMark}`,
      version: '1',
      load,
      environment: async () => ({}),
      memoryMb,
    }
    const request = {
      method: 'POST',
      path: '/',
      query: '',
      headers: { 'x-bot-id': botId },
      body: JSON.stringify(given),
    }
    return parseComputation(
      await sandbox.invoke(unit, request, { timeoutMs, cause: null }),
    )
  }
}

/** Validates the reply: the process runs untrusted code. */
function parseComputation({ body }: HandlerResponse): Computation {
  try {
    const { value, error } = JSON.parse(body) as { value?: unknown; error?: unknown }
    return error === undefined ? { value: value ?? null } : { error: String(error) }
  } catch {
    return { error: 'The code returned no value' }
  }
}

/**
 * The source of the process. Code is an expression, statements with a return, or a function of the
 * row, as agents declare it. `axios` implements the part of that library that such code uses.
 */
const host = `
const AsyncFunction = (async () => {}).constructor
const compiled = new Map()
function compile(code) {
  try {
    return new AsyncFunction('row', 'axios', 'return (' + code + '\\n)')
  } catch {
    return new AsyncFunction('row', 'axios', code)
  }
}
function getFunction(code) {
  if (!compiled.has(code)) {
    if (compiled.size >= 100) compiled.clear()
    compiled.set(code, compile(code))
  }
  return compiled.get(code)
}
const parsed = (text) => { try { return JSON.parse(text) } catch { return text } }
async function request({ url, baseURL, params = {}, headers, data, method = 'get', timeout }) {
  const address = new URL(url, baseURL)
  for (const [name, value] of Object.entries(params)) address.searchParams.append(name, value)
  const sent = new Headers(headers)
  const isJson = data !== null && typeof data === 'object' && !(data instanceof URLSearchParams)
  if (isJson && !sent.has('content-type')) sent.set('content-type', 'application/json')
  const options = {
    method: method.toUpperCase(),
    headers: sent,
    body: isJson ? JSON.stringify(data) : data,
    signal: timeout ? AbortSignal.timeout(timeout) : undefined,
  }
  const reply = await fetch(address, options)
  const response = {
    status: reply.status,
    statusText: reply.statusText,
    headers: Object.fromEntries(reply.headers),
    data: parsed(await reply.text()),
  }
  if (reply.ok) return response
  const error = new Error('Request failed with status code ' + reply.status)
  throw Object.assign(error, { isAxiosError: true, response })
}
const axios = (first, more) => request(typeof first === 'string' ? { ...more, url: first } : first)
axios.request = request
for (const method of ['get', 'delete', 'head', 'options'])
  axios[method] = (url, more) => request({ ...more, url, method })
for (const method of ['post', 'put', 'patch'])
  axios[method] = (url, data, more) => request({ ...more, url, data, method })
exports.handler = async ({ body }) => {
  const { code, row } = JSON.parse(body)
  const answer = (result) => ({ status: 200, body: JSON.stringify(result) })
  try {
    const value = await getFunction(code)(row, axios)
    return answer({ value: (typeof value === 'function' ? await value(row) : value) ?? null })
  } catch (error) {
    return answer({ error: String(error?.message ?? error) })
  }
}
`
