// `botstead start`: starts the server, prints its URLs, and runs until SIGINT or SIGTERM.

import { join, relative } from 'node:path'
import {
  ConfigError,
  DatabaseError,
  openReadableLog,
  type PageOptions,
  readConfig,
  type StartOptions as ServerOptions,
  StartAborted,
  StartError,
  startServer,
} from '@botstead/server'
import { botsteadCommand, inShell } from '../definitions/command-parts.ts'
import { CliError } from '../failure.ts'

type Server = Awaited<ReturnType<typeof startServer>>

interface StartOptions {
  /** Writes for a person, also without a terminal: no JSON lines of the log. */
  isForPeople?: boolean
  /** Pages that are built while the server runs. Default: all are built. */
  pages?: PageOptions
  sandboxChannel?: ServerOptions['sandboxChannel']
  /** Called when the server runs. Default: prints its URLs. */
  onRunning?: (greet: () => Promise<void>) => unknown
}

export async function start({
  isForPeople = false,
  pages = {},
  onRunning = (greet) => greet(),
  ...replaced
}: StartOptions = {}): Promise<void> {
  const { stopping, signal } = onStopSignal()
  const progress = openProgress()
  try {
    const config = readConfig(process.env)
    // JSON lines are for log collectors, which have no terminal, and for operators who ask for them.
    const isReadable =
      (isForPeople || process.stdout.isTTY) && !process.env.BOTSTEAD_LOG_LEVEL
    const server = await startServer(config, {
      ...(isReadable && { log: openReadableLog() }),
      onProgress: progress.show,
      signal,
      firstBot: { name: 'Echo bot', example: 'echo-bot' },
      pages,
      ...replaced,
    })
    progress.end()
    await onRunning(() => greet(server, config.dataFolder))
    await stopping
    console.log('Stopping …')
    await server.close()
  } catch (error) {
    progress.end()
    if (error instanceof StartAborted) process.exit(0)
    if (
      error instanceof ConfigError ||
      error instanceof DatabaseError ||
      error instanceof StartError
    )
      throw new CliError(error.message)
    throw error
  }
  process.exit(0)
}

/**
 * Logs must not contain secrets. The first start prints a link all the same, because it works once; later
 * ones print it on a terminal only, otherwise the command for one.
 */
async function greet(server: Server, dataFolder: string): Promise<void> {
  const printsLink = process.stdout.isTTY || server.firstStart
  const signIn = printsLink ? await server.createSignInLink() : null
  console.log(greeting(server, dataFolder, signIn))
}

/** A terminal sends SIGINT to all processes, and npm passes it on to those that it started. */
const sameSignalMs = 1_000

/**
 * The first SIGINT or SIGTERM stops gracefully, also during the start; a later one exits at once. The
 * end of npm stops it gracefully, too.
 */
function onStopSignal(): { stopping: Promise<void>; signal: AbortSignal } {
  const aborting = new AbortController()
  const stopping = new Promise<void>((resolve) =>
    aborting.signal.addEventListener('abort', () => resolve()),
  )
  let stoppedAt = 0
  const stop = () => {
    if (aborting.signal.aborted && performance.now() - stoppedAt > sameSignalMs)
      process.exit(1)
    stoppedAt ||= performance.now()
    aborting.abort()
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  // npm passes a signal on to its shell, which ends without passing it on to this process.
  const parent = process.ppid
  if (process.env.npm_lifecycle_event)
    setInterval(() => process.ppid !== parent && aborting.abort(), 500).unref()
  return { stopping, signal: aborting.signal }
}

/** Prints a step that takes more than 300 ms, and again every 2.5 seconds with its time. */
function openProgress() {
  let timers: NodeJS.Timeout[] = []
  const end = () => timers.splice(0).forEach(clearTimeout)
  return {
    end,
    show(text: string) {
      end()
      const startedAt = performance.now()
      const seconds = () => Math.round((performance.now() - startedAt) / 1000)
      timers = [
        setTimeout(() => console.log(`${text} …`), 300),
        setInterval(() => console.log(`${text} … ${seconds()} s`), 2_500),
      ]
    },
  }
}

/**
 * Returns the lines that `start` prints, one for each fact. The data folder of a further server on
 * the same database has neither a first bot nor a token.
 */
function greeting(
  { url, credentials, firstStart, ownerEmail, hostedCode }: Server,
  dataFolder: string,
  signIn: string | null,
): string {
  const { chatUrl, webhookId, token } = credentials
  const { isTTY } = process.stdout
  const command = botsteadCommand()
  const account = ownerEmail ? inShell(ownerEmail) : '<e-mail>'
  const file = join(dataFolder, 'credentials.json')
  const shownFile = isTTY ? relative(process.cwd(), file) : file
  const addresses = chatUrl
    ? [
        `Dashboard          ${url}/`,
        `Chat page          ${url}/talk/${webhookId}`,
        `Terminal           ${command} chat`,
        `Chat API           ${chatUrl}`,
      ]
    : [`Dashboard          ${url}/`, `Deploy a bot       ${command} deploy bundle.cjs`]
  // Logs must not contain the token: print it on a terminal only.
  const stored = token
    ? [`Your token         in ${shownFile}`]
    : [`No token here      ${command} tokens create --account ${account}`]
  const secret =
    firstStart && token && isTTY
      ? [`Your token         ${token} (shown only now; also stored in ${shownFile})`]
      : stored
  return [
    '',
    'Botstead is running.',
    '',
    ...addresses,
    '',
    signIn
      ? `Sign in            ${signIn} (works once, within 24 hours)`
      : `Sign in            ${command} login-link --account ${account}`,
    '',
    ...secret,
    '',
    `Hosted code        ${hostedCode}`,
    '',
    'Press Ctrl+C to stop.',
    '',
  ]
    .map((line) => line && `  ${line}`)
    .join('\n')
}
