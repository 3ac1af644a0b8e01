// `botstead chat`: a conversation in the terminal. On a terminal, answers appear as they arrive;
// with piped input, it waits for the answer to each line before it sends the next, so that scripts
// read them in order.
import { randomUUID } from 'node:crypto'
import { createInterface, type Interface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { connectingArguments } from '../definitions/command-parts.ts'
import { CliError, toMessage, UsageError } from '../failure.ts'
import { ownCommand } from '../own-command.ts'
import { findChatUrl, openAdmin } from '../server/admin.ts'
import { type Connecting, findConnection } from '../server/connection.ts'
import { type ConnectionState, listen } from '../server/listener.ts'
import { openChatClient, retry } from '../server/server-client.ts'
import { createTraceReader, type TracedTurn, toTrace } from '../server/traces.ts'
import { messageText } from '../terminal/message-text.ts'
import { createFailureReader, watchSilence } from './silence.ts'

interface Options extends Connecting {
  chatUrl?: string
  bot?: string
  wait: string
  trace?: boolean
}

/** Returns the traces of the turns since its last call. */
type ReadTraces = () => Promise<TracedTurn[]>

export async function runChat(
  botId: string | undefined,
  options: Options,
): Promise<void> {
  const seconds = Number(options.wait)
  if (!(seconds > 0))
    throw new UsageError(
      `--wait must be a number of seconds above 0, not "${options.wait}"`,
    )
  const chatUrl = await findChat(botId ?? options.bot, options)
  const conversation = await openConversation(chatUrl)
  const bot =
    botId ?? options.bot ?? (options.chatUrl ? undefined : findConnection(options).botId)
  const traces = options.trace ? openTraces(bot, conversation.id, options) : null
  const logs = logsCommand(bot, options)
  const silence = {
    botId: bot,
    conversationId: conversation.id,
    connecting: options,
    logs,
  }
  try {
    await (process.stdin.isTTY
      ? talk(conversation, { chatUrl, traces, silence })
      : answerLines(conversation, {
          seconds,
          traces,
          logs,
          readFailure: createFailureReader(silence),
        }))
  } finally {
    conversation.close()
  }
}

function openTraces(
  bot: string | undefined,
  conversationId: string,
  options: Options,
): ReadTraces {
  if (!bot)
    throw new UsageError(
      '--trace requires the id of the bot: botstead chat <botId> --trace',
    )
  return createTraceReader(openAdmin(options), bot, conversationId)
}

const logsCommand = (bot: string | undefined, options: Options) =>
  `"${ownCommand} logs ${bot ?? '<bot id>'}${connectingArguments(options)}"`

async function findChat(botId: string | undefined, options: Options): Promise<string> {
  if (options.chatUrl) return options.chatUrl.replace(/\/+$/, '')
  const known = findConnection(options)
  if ((!botId || botId === known.botId) && known.chatUrl) return known.chatUrl
  if (!botId)
    throw new UsageError(
      `no bot of ${known.url} is known: pass the bot's id ("bots" lists the bots) or --chat-url`,
    )
  const admin = openAdmin(options)
  const { bot } = await admin.client.admin.getBot({ params: { id: botId } })
  const found = findChatUrl(admin.url, bot)
  if (!found) throw new CliError(`the bot ${botId} has no chat integration: install one`)
  return found
}

type Conversation = Awaited<ReturnType<typeof openConversation>>

async function openConversation(chatUrl: string) {
  const { chat, webhookId } = openChatClient(chatUrl)
  const params = { webhookId }
  const { user, key } = await chat.createUser({ params, body: {} })
  const headers = { 'x-user-key': key }
  const { conversation } = await chat.createConversation(
    { params, body: {} },
    { headers },
  )
  let onAnswer = (_text: string) => {}
  let onState = (_state: ConnectionState) => {}
  const listener = await listen({
    open: (options) =>
      chat.listenConversation(
        { params: { ...params, id: conversation.id } },
        { ...options, headers: { ...headers, ...options.headers } },
      ),
    onState: (state) => onState(state),
    onSignal({ type, data }) {
      if (type === 'message_created' && data.userId !== user.id)
        onAnswer(messageText(data.payload as Record<string, unknown>))
    },
  })
  return {
    id: conversation.id,
    close: listener.close,
    listen(listeners: { onAnswer: typeof onAnswer; onState: typeof onState }) {
      onAnswer = listeners.onAnswer
      onState = listeners.onState
    },
    async send(text: string) {
      const body = {
        conversationId: conversation.id,
        payload: { type: 'text' as const, text },
      }
      // Makes the retries safe.
      const idempotent = { ...headers, 'idempotency-key': randomUUID() }
      await retry(6, () => chat.createMessage({ params, body }, { headers: idempotent }))
    },
  }
}

const states = {
  online: '(connected again)',
  offline: '(connection lost, reconnecting)',
  ended: '(the conversation no longer exists)',
}

interface Talk {
  chatUrl: string
  traces: ReadTraces | null
  silence: Parameters<typeof watchSilence>[0]
}

async function talk(
  conversation: Conversation,
  { chatUrl, traces, silence }: Talk,
): Promise<void> {
  console.log(`Chat with ${chatUrl}\nPress Enter to send, Ctrl+C to exit.\n`)
  const terminal = createInterface({
    input: process.stdin,
    output: process.stdout,
    prompt: 'you> ',
  })
  const watch = watchSilence(silence, (text) => interrupt(terminal, text))
  conversation.listen({
    onAnswer(text) {
      watch.stop()
      interrupt(terminal, `bot> ${text.replaceAll('\n', '\n     ')}`)
    },
    onState(state) {
      interrupt(terminal, states[state])
      if (state === 'ended') terminal.close()
    },
  })
  terminal.prompt()
  terminal.on('line', async (line) => {
    terminal.prompt()
    if (line.trim() === '') return
    watch.begin()
    await conversation.send(line).catch((error) => {
      watch.stop()
      interrupt(terminal, `(not sent: ${toMessage(error)})`)
    })
  })
  const polling =
    traces &&
    setInterval(
      async () =>
        void (await tracesSoFar(traces)).map((turn) =>
          interrupt(terminal, toTrace(turn)),
        ),
      pollMs,
    )
  await new Promise((resolve) => terminal.once('close', resolve))
  if (polling) clearInterval(polling)
  watch.stop()
  console.log()
}

/** Prints text above the line that the user is typing. */
function interrupt(terminal: Interface, text: string) {
  process.stdout.write(`\r\x1b[K${text}\n`)
  terminal.prompt(true)
}

const pollMs = 500

/** Ignores errors, so that the conversation continues; the next poll reads the traces. */
const tracesSoFar = (traces: ReadTraces) => traces().catch(() => [])

/**
 * Waits up to five seconds: the server stores the trace shortly after the last message of the turn.
 */
async function printTurn(traces: ReadTraces): Promise<void> {
  for (let tries = 0; tries < 10; tries++) {
    if ((await printTraces(traces)).length) return
    await pause(pollMs)
  }
}

async function printTraces(traces: ReadTraces): Promise<TracedTurn[]> {
  const turns = await tracesSoFar(traces)
  for (const turn of turns) console.log(toTrace(turn))
  return turns
}

interface Waiting {
  seconds: number
  traces: ReadTraces | null
  /** Command that shows the log of the bot. */
  logs: string
  readFailure: ReturnType<typeof createFailureReader>
}

async function answerLines(conversation: Conversation, waiting: Waiting): Promise<void> {
  let answered = () => {}
  let failed = (_error: Error) => {}
  conversation.listen({
    onAnswer(text) {
      console.log(text)
      answered()
    },
    onState: (state) =>
      state === 'ended' && failed(new CliError('the conversation no longer exists')),
  })
  for await (const line of createInterface({ input: process.stdin })) {
    if (line.trim() === '') continue
    const answer = new Promise<void>((resolve, reject) => {
      answered = resolve
      failed = reject
    })
    const [, isTraced] = await Promise.all([
      conversation.send(line),
      waitForAnswer(answer, waiting),
    ])
    if (waiting.traces && !isTraced) await printTurn(waiting.traces)
  }
}

/**
 * Waits for the answer, and with traces also for the trace of a failed turn, which ends without
 * one. Returns whether it printed a trace.
 */
async function waitForAnswer(
  answer: Promise<void>,
  { seconds, traces, logs, readFailure }: Waiting,
): Promise<boolean> {
  const since = new Date()
  let isAnswered = false
  const settled = answer.then(() => {
    isAnswered = true
  })
  const until = performance.now() + seconds * 1000
  let isTraced = false
  let isFailed = false
  for (;;) {
    const remaining = until - performance.now()
    const ms = traces ? Math.min(pollMs, remaining) : remaining
    await Promise.race([settled, pause(ms, undefined, { ref: false })])
    if (isAnswered) return isTraced
    if (isFailed) throw new CliError(`the turn failed without an answer; see ${logs}`)
    if (remaining <= 0)
      throw new CliError(
        (await readFailure(since)) ??
          `the bot did not answer within ${seconds} s; see ${logs}, or pass a larger --wait`,
      )
    const turns = traces ? await printTraces(traces) : []
    isTraced = turns.length > 0
    isFailed = turns.some(({ turn }) => turn.outcome === 'failed')
  }
}
