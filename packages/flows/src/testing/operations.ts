// The operations of a conversation script's server beside the chat: tables, files and actions.
import type { FlowDocument } from '../document/document.ts'
import { defaultMinScore } from '../engine/min-score.ts'
import { type Json, type PlatformCall, PlatformRejection } from '../engine/platform.ts'
import { groundingCategory } from '../models/grounding.ts'
import type { CognitiveRequest } from '../models/models.ts'
import type { ConversationScript } from './conversation-script.ts'
import { tableInMemory } from './rows.ts'

/** The replies of models that the script has not used yet, and a reply that cannot be right. */
export interface ScriptReplies {
  left: (string | Json)[]
  fault: string | null
}

/** Handles the calls of cards and of the author's code. */
export function answerFrom(
  document: FlowDocument,
  script: ConversationScript,
  { tables, replies }: { tables: Tables; replies: ScriptReplies },
) {
  return (call: PlatformCall): Json => {
    const [pathname = '', search] = call.path.split('?')
    const query = new URLSearchParams(search)
    const [, table, rest] = /^\/v1\/tables\/([^/]+)(.*)$/.exec(pathname) ?? []
    if (table) return tables.perform(decodeURIComponent(table), rest!, call, query)
    if (pathname === '/v1/files/search')
      return { passages: passagesFor(script.knowledge, query) }
    if (pathname === '/v1/platform/files/answers')
      return answersFor(script.knowledge, query)
    if (pathname === '/v1/files/knowledge-bases')
      return { knowledgeBases: knowledgeBases(document, script), meta: {} }
    // Scripts have no curated answers.
    if (pathname === '/v1/platform/curated-answers/find') return {}
    // The script has the outputs of an MCP server's tool in `actions`; any input fits.
    if (pathname === '/v1/platform/mcp-tool') return { tool: { inputSchema: {} } }
    if (pathname === '/v1/chat/actions')
      return callAction(script, String((call.body as Json | undefined)?.type))
    if (pathname === '/v2/cognitive/generate-text') {
      const request = call.body as CognitiveRequest
      if (passesCheck(request, replies.left[0])) return modelReply(supportAll(request))
      const reply = replies.left.shift()
      replies.fault ??= findFault(reply, call.body as Json)
      return modelReply(reply)
    }
    throw notSupported(`${call.method} ${pathname}`)
  }
}

const notSupported = (operation: string) =>
  new PlatformRejection(
    501,
    'NotImplemented',
    `Conversation scripts do not support ${operation}`,
  )

function callAction({ actions }: ConversationScript, type: string): Json {
  const output = found(
    Object.hasOwn(actions, type) ? actions[type] : undefined,
    `The script has no output for the action "${type}". Add it to \`actions\``,
  )
  if (typeof output.error === 'string')
    throw new PlatformRejection(400, 'Runtime', output.error)
  return { output }
}

function modelReply(reply: string | Json | undefined): Json {
  if (reply === undefined)
    throw new PlatformRejection(
      400,
      'ReferenceNotFound',
      'The script has no further reply of a model. Add it to `models`',
    )
  if (typeof reply === 'object' && typeof reply.error === 'string')
    throw new PlatformRejection(503, 'Unavailable', reply.error)
  const usage = { inputTokens: 0, inputCost: 0, outputTokens: 0, outputCost: 0 }
  const metadata = { provider: 'script', model: 'script', usage, cost: 0 }
  if (typeof reply === 'object' && Array.isArray(reply.toolCalls))
    return {
      output: String(reply.text ?? ''),
      toolCalls: toolCalls(reply.toolCalls),
      metadata,
    }
  return { output: typeof reply === 'string' ? reply : JSON.stringify(reply), metadata }
}

/** The check of an answer's sentences passes, unless the script has its reply. */
const passesCheck = ({ meta }: CognitiveRequest, next: string | Json | undefined) =>
  meta?.promptCategory === groundingCategory &&
  !(typeof next === 'object' && Array.isArray(next.sentences))

function supportAll({ messages }: CognitiveRequest): Json {
  const { sentences } = JSON.parse(String(messages[0]!.content)) as { sentences: Json[] }
  return {
    sentences: sentences.map(({ number }) => ({
      number,
      verdict: 'supported',
      passage: 1,
    })),
  }
}

/** A model calls no tool that it was not given; a name in the script would be wrong. */
function findFault(
  reply: string | Json | undefined,
  { tools = [] }: Json,
): string | null {
  const known = (tools as { name: string }[]).map(({ name }) => name)
  const calls =
    typeof reply === 'object' && Array.isArray(reply.toolCalls) ? reply.toolCalls : []
  const unknown = toolCalls(calls).find(({ name }) => !known.includes(name))
  return unknown === undefined
    ? null
    : `\`models\` calls the tool "${unknown.name}". The agent has ${known.join(', ') || 'none'}`
}

/** Each call is a mapping from the name of the tool to its input. */
const toolCalls = (calls: Json[]) =>
  calls.flatMap((call) =>
    Object.entries(call).map(([name, input], index) => ({
      id: `call_${index}`,
      name,
      input,
    })),
  )

type Tables = ReturnType<typeof openTables>

/** Opens the tables of the document and of the script, with the script's rows. */
export function openTables(
  document: FlowDocument,
  script: ConversationScript,
  now: () => number,
) {
  const names = [...Object.keys(document.tables ?? {}), ...Object.keys(script.tables)]
  const tables = new Map(
    names.map((name) => [
      name,
      tableInMemory(now, script.tables[name] ?? [], document.tables?.[name]?.keyColumn),
    ]),
  )
  const toTableName = (name: string) =>
    found(
      tables.get(name),
      `The table "${name}" does not exist. Declare it in the document`,
    )
  return {
    getRows: (name: string): Json[] => toTableName(name).rows,
    perform(
      name: string,
      path: string,
      { method, body }: PlatformCall,
      query: URLSearchParams,
    ) {
      const table = toTableName(name)
      const { rows = [], ...input } = (body ?? {}) as Json
      const all = rows as Json[]
      const keyColumn = String(
        input.keyColumn ?? document.tables?.[name]?.keyColumn ?? 'id',
      )
      const operations: Record<string, () => Json> = {
        'POST /rows': () => ({ rows: all.flatMap((row) => table.create(row) ?? []) }),
        'POST /rows/find': () => ({ rows: table.find(input), hasMore: false }),
        'POST /rows/upsert': () => ({
          rows: all.flatMap((row) => table.upsert(row, keyColumn) ?? []),
        }),
        'POST /rows/delete': () => ({ deletedRows: table.remove(input) }),
        'PUT /rows': () => ({ rows: all.flatMap((row) => table.update(row) ?? []) }),
        'GET /row': () => ({
          row: found(table.get(query.get('id')), 'The row does not exist'),
        }),
      }
      const operation = `${method} ${path}`
      if (!Object.hasOwn(operations, operation))
        throw notSupported(`${operation} of a table`)
      return structuredClone(operations[operation]!())
    },
  }
}

function knowledgeBases(
  { knowledgeBases = {} }: FlowDocument,
  { knowledge }: ConversationScript,
) {
  const declared = Object.entries(knowledgeBases).map(([name, base]) => base.name ?? name)
  return [...new Set([...declared, ...Object.keys(knowledge)])].map((name) => ({
    id: `kb_${name}`,
    name,
  }))
}

/** Ranks passages by the share of the query's words that they contain. Those with one are likely answers. */
function passagesFor(
  knowledge: ConversationScript['knowledge'],
  query: URLSearchParams,
): Json[] {
  const { kbId } = JSON.parse(query.get('tags') ?? '{}') as { kbId?: string[] | string }
  const words = [
    ...new Set(
      (query.get('query') ?? '').toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [],
    ),
  ]
  const passages = Object.entries(knowledge).flatMap(([name, held]) =>
    held.map(({ title, content }, index) => {
      const text = `${title ?? ''} ${content}`.toLowerCase()
      const file = {
        id: `file_${name}_${index}`,
        key: `${name}/${index}`,
        tags: { kbId: `kb_${name}`, ...(title && { title }) },
      }
      return {
        content,
        score: toScore(words.filter((word) => text.includes(word)).length, words.length),
        file,
      }
    }),
  )
  const wanted = passages.filter(
    ({ score, file }) =>
      score > 0 && (kbId === undefined || [kbId].flat().includes(file.tags.kbId)),
  )
  return wanted
    .sort((a, b) => b.score - a.score)
    .slice(0, Number(query.get('limit') ?? 20))
}

const toScore = (found: number, words: number) =>
  found === 0 ? 0 : 0.5 + found / words / 2

/** Answers with whole passages. */
function answersFor(
  knowledge: ConversationScript['knowledge'],
  query: URLSearchParams,
): Json {
  const [best] = passagesFor(knowledge, query) as {
    content: string
    score: number
    file: { id: string; key: string; tags: { title?: string } }
  }[]
  const minScore = Number(query.get('minScore') ?? defaultMinScore)
  const { content = '', score = 0, file } = best ?? {}
  const { id: fileId, key: fileKey, tags } = file ?? {}
  const answer = {
    text: content,
    score,
    section: [],
    passage: content,
    fileId,
    fileKey,
    ...tags,
  }
  return {
    answers: score >= minScore && best ? [answer] : [],
    suggestions: [],
    language: 'simple',
    bestScore: score,
  }
}

function found<Value>(value: Value | undefined, message: string): Value {
  if (value === undefined) throw new PlatformRejection(404, 'ResourceNotFound', message)
  return value
}
