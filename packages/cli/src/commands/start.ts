// `botstead start`: brings the server up, says where to talk, and stays until it is told to stop.

import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import {
  ConfigError,
  DatabaseError,
  readConfig,
  StartAborted,
  StartError,
  startServer,
} from '@botstead/server'
import { Failure } from '../failure.ts'

type Server = Awaited<ReturnType<typeof startServer>>

export async function start(): Promise<void> {
  const { stopping, signal } = onceToldToStop()
  const progress = openProgress()
  try {
    const config = readConfig(process.env)
    if (process.stdout.isTTY && !process.env.BOTSTEAD_LOG_LEVEL) config.logLevel = 'warn' // a person reads this; collectors of logs have no terminal
    const server = await startServer(config, {
      onProgress: progress.say,
      signal,
      firstBot: { name: 'Echo bot', file: firstBot() },
    })
    progress.end()
    console.log(greeting(server, config.dataFolder))
    await stopping
    console.log('Stopping …')
    await server.close()
  } catch (error) {
    progress.end()
    if (error instanceof StartAborted) process.exit(0)
    if (error instanceof ConfigError || error instanceof DatabaseError || error instanceof StartError)
      throw new Failure(error.message)
    throw error
  }
  process.exit(0)
}

/** The echo bot's bundle: where this repository builds it, or where the published package carries it. */
function firstBot(): URL {
  const built = new URL('../../../../examples/echo-bot/dist/bot.cjs', import.meta.url)
  return existsSync(built) ? built : new URL('../first-bot.cjs', import.meta.url)
}

/** The first signal asks for a graceful end, also of a start that has not finished; the second ends at once. */
function onceToldToStop(): { stopping: Promise<void>; signal: AbortSignal } {
  const told = new AbortController()
  const stopping = new Promise<void>((resolve) => told.signal.addEventListener('abort', () => resolve()))
  const stop = () => (told.signal.aborted ? process.exit(1) : told.abort())
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  return { stopping, signal: told.signal }
}

/** A step is named when it takes long enough to wonder. */
function openProgress() {
  let timer: NodeJS.Timeout | undefined
  const end = () => clearTimeout(timer)
  return {
    end,
    say(text: string) {
      end()
      timer = setTimeout(() => console.log(`${text} …`), 300)
    },
  }
}

function greeting({ url, credentials, firstStart, hostedCode }: Server, dataFolder: string): string {
  const { chatUrl, token } = credentials
  const { isTTY } = process.stdout
  const file = join(dataFolder, 'credentials.json')
  const kept = isTTY ? relative(process.cwd(), file) : file
  const talk = chatUrl
    ? [
        `Talk to the bot    ${url}/`,
        'in the terminal    npx --no botstead chat',
        `by its Chat API    ${chatUrl}`,
      ]
    : [`The API            ${url}`, 'There is no bot yet: npx --no botstead deploy bundle.cjs']
  // Output that is no terminal ends in logs, which others read and keep.
  const secret =
    firstStart && token && isTTY
      ? [`Your token         ${token}`, `                   shown this once, and kept in ${kept}`]
      : [`Your token         in ${kept}`]
  return [
    '',
    'Botstead is running.',
    '',
    ...talk,
    '',
    ...secret,
    '',
    `Hosted code        ${hostedCode}`,
    '',
    'Ctrl+C stops it.',
    '',
  ]
    .map((line) => line && `  ${line}`)
    .join('\n')
}
