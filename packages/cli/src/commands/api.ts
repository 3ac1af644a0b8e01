// `botstead api`: lists the operations of the API, describes one, or calls it.
import { readFileSync } from 'node:fs'
import { type CallOptions, readEvents } from '@botstead/client'
import { findWorkspaceParameter, namesBot } from '@botstead/contract'
import { isForBot, isForChat, operationCommand } from '../api/operation-command.ts'
import { fieldsOf, type RequestParts, toRequest } from '../api/operation-fields.ts'
import {
  findOperation,
  type NamedOperation,
  operations,
  searchOperations,
} from '../api/operations.ts'
import { outputting } from '../definitions/command-parts.ts'
import { CliError, UsageError } from '../failure.ts'
import { type Connecting, findConnection } from '../server/connection.ts'
import type { Connection } from '../server/credentials.ts'
import { openClient, retry } from '../server/server-client.ts'
import { writeBody } from '../server/streamed-file.ts'
import { toPrintable } from '../terminal/printable.ts'
import { type ListPrinting, print, printList, toJson } from '../terminal/printing.ts'

interface CallingOptions extends Connecting {
  bot?: string
  chat?: string
  userKey?: string
  idempotencyKey?: string
  input?: string
  output?: string
  paginate?: boolean
  json?: boolean
}

type Call = (request: Partial<RequestParts>, options: CallOptions) => Promise<unknown>

export async function runApi(
  name: string | undefined,
  args: string[],
  options: ListPrinting & { list?: string | true },
): Promise<void> {
  if (name === undefined || options.list !== undefined) return listOperations(options)
  const operation = findOperation(name)
  const fields = fieldsOf(operation)
  const command = operationCommand(operation, fields).exitOverride(({ exitCode }) =>
    process.exit(exitCode === 0 ? 0 : 2),
  )
  command
    .configureOutput(outputting)
    .name(`botstead api ${operation.name}`)
    .showHelpAfterError('--help lists the options.')
  command.allowExcessArguments(false).parse(args, { from: 'user' })
  const given = command.opts<CallingOptions & Record<string, unknown>>()
  const input = given.input === undefined ? {} : readInput(given.input)
  await call(operation, toRequest(fields, given, input), given)
}

async function listOperations({
  list,
  json,
  limit = '1000',
}: ListPrinting & { list?: string | true }) {
  const found = typeof list === 'string' ? searchOperations(list) : operations
  if (found.length === 0) throw new CliError(`no operation contains "${list}"`)
  const rows = found.map(({ name, method, path, access, permission, summary }) => ({
    name,
    method,
    path,
    access,
    permission,
    summary,
  }))
  await printList(
    rows,
    {
      columns: {
        name: ({ name }) => name,
        access: ({ access }) => access,
        summary: ({ summary, method, path }) => `${summary} (${method} ${path})`,
      },
    },
    { ...(json && { json }), limit },
  )
}

function readInput(file: string): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(readFileSync(file === '-' ? 0 : file, 'utf8'))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new UsageError(
      code
        ? `cannot read ${file} (${code})`
        : `${file === '-' ? 'standard input' : file} is not valid JSON`,
    )
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UsageError('--input must be a JSON object')
  return value as Record<string, unknown>
}

async function call(
  operation: NamedOperation,
  request: RequestParts,
  options: CallingOptions,
) {
  const connection = findConnection(options)
  const client = openClient(connection.url, toHeaders(operation, connection, options))
  const send = (client as unknown as Record<string, Record<string, Call>>)[
    operation.family
  ]![operation.id]!
  const { headers, ...parts } = withScope(operation, request, connection, options)
  // Streams may last; other calls have the time limit of the client.
  const callOptions = {
    headers: headers as Record<string, string>,
    ...(operation.stream && { signal: new AbortController().signal }),
  }
  const sent = operation.body ? parts : { params: parts.params, query: parts.query }
  const once = (query: Record<string, unknown>) => {
    const attempt = () => send({ ...sent, query }, callOptions)
    return operation.method === 'GET' ? retry(3, attempt) : attempt()
  }
  if (options.paginate) return printPages(operation, once, options, sent.query!)
  const response = await once(sent.query!)
  if (response instanceof Response) return printStream(response, options)
  print(toJson(response, options.json ? undefined : 2))
}

function toHeaders(
  operation: NamedOperation,
  { url, token, workspaceId, botId }: Connection,
  { bot = botId, userKey, idempotencyKey }: CallingOptions,
): Record<string, string> {
  const { access, name } = operation
  const isOpen = access === 'public' || isForChat(operation)
  if (!isOpen && !token)
    throw new CliError(
      `there is no token for ${url}: sign in with "login ${url}", or pass --token`,
    )
  if (access === 'bot' && !namesBot(operation) && !operation.botOptional && !bot)
    throw new UsageError(`${name} needs --bot <id> ("bots" lists the bots)`)
  if (access === 'chatUser' && userKey === undefined)
    throw new UsageError(
      `${name} needs --user-key <key>, which "api chat.createUser" returns`,
    )
  return {
    ...(!isOpen && { authorization: `Bearer ${token}` }),
    ...(!isOpen && workspaceId && { 'x-workspace-id': workspaceId }),
    ...(access === 'bot' && bot && { 'x-bot-id': bot }),
    ...(userKey !== undefined && { 'x-user-key': userKey }),
    ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    'x-multiple-integrations': 'true',
  }
}

/** Adds the parts of the path that options name: the bot, the workspace and the chat. */
function withScope(
  operation: NamedOperation,
  request: RequestParts,
  { workspaceId, botId, chatUrl }: Connection,
  { bot = botId, chat = chatUrl?.split('/').at(-1) }: CallingOptions,
): RequestParts {
  const inWorkspace = findWorkspaceParameter(operation)
  const scope = {
    ...(isForBot(operation) && operation.path.includes('{botId}') && { botId: bot }),
    ...(inWorkspace !== undefined && { [inWorkspace]: workspaceId }),
    ...(isForChat(operation) && { webhookId: chat }),
  }
  const options: Record<string, string> = { botId: 'bot', webhookId: 'chat' }
  for (const [name, value] of Object.entries(scope))
    if (value === undefined)
      throw new UsageError(
        `${operation.name} needs --${options[name] ?? 'workspace'} <id>`,
      )
  return { ...request, params: { ...request.params, ...scope } }
}

interface Page {
  nextToken?: string
  meta?: { nextToken?: string; newer?: string }
  [list: string]: unknown
}

/** Prints the items of each page, or one response with the items of all pages. */
async function printPages(
  operation: NamedOperation,
  read: (query: Record<string, unknown>) => Promise<unknown>,
  { json }: CallingOptions,
  given: Record<string, unknown>,
) {
  const all: unknown[] = []
  const query = { ...given, ...findFirstPage(operation, given) }
  let nextToken: unknown
  let key = ''
  do {
    const page = (await read({ ...query, ...(nextToken ? { nextToken } : {}) })) as Page
    const [name, items] = Object.entries(page).find(([, value]) =>
      Array.isArray(value),
    ) as [string, unknown[]]
    key = name
    if (json) for (const item of items) print(toJson(item))
    else all.push(...items)
    nextToken = findNextToken(page, items)
  } while (nextToken)
  if (!json) print(toJson({ [key]: all }, 2))
}

/** A transcript has pages in both directions. It is read from its oldest message. */
function findFirstPage(
  { response }: NamedOperation,
  { from, around, nextToken }: Record<string, unknown>,
) {
  const { meta } =
    (response as { properties?: { meta?: { properties?: object } } }).properties ?? {}
  if (!Object.hasOwn(meta?.properties ?? {}, 'newer')) return {}
  if (from === 'end')
    throw new UsageError(
      '--paginate prints from the oldest to the newest message: leave out --from end',
    )
  return around === undefined && nextToken === undefined ? { from: 'start' } : {}
}

/** A transcript has a token (`newer`) on its last page, too. */
function findNextToken({ meta, nextToken = meta?.nextToken }: Page, items: unknown[]) {
  return nextToken ?? (items.length > 0 ? meta?.newer : undefined)
}

async function printStream(response: Response, { output }: CallingOptions) {
  const type = response.headers.get('content-type') ?? ''
  if (output === undefined && type.startsWith('text/event-stream')) {
    for await (const { data } of readEvents(response))
      print(process.stdout.isTTY ? toPrintable(data) : data)
    return
  }
  if (output === undefined && process.stdout.isTTY && !type.includes('json'))
    throw new UsageError('the response is a file: pass -o <file>')
  await writeBody(response, output)
}
