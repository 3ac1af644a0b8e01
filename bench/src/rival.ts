// The rival: offline-directline with a botbuilder bot, the most similar software on npm. Not a
// dependency of the project: `--with-rival` installs its packages into a temporary folder for one
// run.
import { rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { installForRun } from './baselines/installed.ts'
import { type ChatServer, Http, type Talk } from './chat.ts'
import { type RunningProgram, startProgram } from './processes.ts'

const packages = ['offline-directline@1.3.1', 'botbuilder@4.23.3']

interface RunningRival extends ChatServer {
  close(): Promise<void>
}

/**
 * Starts the rival from `folder`. Without a folder, installs the packages and removes them at the
 * end.
 */
export async function startRival(folder: string | null): Promise<RunningRival> {
  const packageFolder = folder ?? (await installForRun(packages))
  const programs: RunningProgram[] = []
  const close = async () => {
    for (const program of programs.reverse()) await program.stop()
    if (!folder) await rm(packageFolder, { recursive: true, force: true })
  }
  try {
    const bot = await start('the rival’s bot', 'bot.cjs', packageFolder, {})
    programs.push(bot)
    const server = await start('the rival', 'direct-line.cjs', packageFolder, {
      BOT_URL: `http://127.0.0.1:${readPort(bot)}/api/messages`,
    })
    programs.push(server)
    const http = new Http(`http://127.0.0.1:${readPort(server)}`)
    return {
      name: 'offline-directline, memory only',
      pids: programs.map(({ pid }) => pid),
      openTalk: () => openTalk(http),
      close: () => http.close().then(close),
    }
  } catch (error) {
    await close()
    throw error
  }
}

const start = (name: string, file: string, cwd: string, env: NodeJS.ProcessEnv) =>
  startProgram(name, [fileURLToPath(new URL(`../rival/${file}`, import.meta.url))], {
    cwd,
    env: { PATH: process.env.PATH, NODE_ENV: 'production', ...env },
    readyLine: true,
  })

const readPort = ({ line }: RunningProgram) => JSON.parse(line).port as number

/**
 * The rival has no stream. It responds to a post after the bot's answer, so one request finds the
 * answer.
 */
async function openTalk(http: Http): Promise<Talk> {
  const { conversationId } = await http.call<{ conversationId: string }>(
    'POST',
    '/directline/conversations',
    {},
    {},
  )
  const path = `/directline/conversations/${conversationId}/activities`
  let watermark = 0
  return {
    async turn(text) {
      await http.call('POST', path, {}, { type: 'message', from: { id: 'ann' }, text })
      for (let answered = false; !answered; ) {
        const page = await http.call<{
          activities: { from: { name?: string } }[]
          watermark: number
        }>('GET', `${path}?watermark=${watermark}`)
        watermark = page.watermark
        answered = page.activities.some(({ from }) => from.name === 'Bot')
      }
    },
    close: () => {},
  }
}
