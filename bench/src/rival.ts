// The rival: offline-directline with a botbuilder bot, the nearest thing to this server that npm has. It is no dependency of the project:
// its packages are installed for one run, in a temporary folder, when asked for.
import { rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { Http, type Place, type Talk } from './chat.ts'
import { installForRun } from './installed.ts'
import { type Program, startProgram } from './processes.ts'

const packages = ['offline-directline@1.3.1', 'botbuilder@4.23.3']

export interface RunningRival extends Place {
  close(): Promise<void>
}

/** `folder` is where the packages are installed already; without it they are installed and removed again. */
export async function startRival(folder: string | null): Promise<RunningRival> {
  const place = folder ?? (await installForRun(packages))
  const programs: Program[] = []
  const close = async () => {
    for (const program of programs.reverse()) await program.stop()
    if (!folder) await rm(place, { recursive: true, force: true })
  }
  try {
    const bot = await start('the rival’s bot', 'bot.cjs', place, {})
    programs.push(bot)
    const server = await start('the rival', 'direct-line.cjs', place, {
      BOT_URL: `http://127.0.0.1:${portOf(bot)}/api/messages`,
    })
    programs.push(server)
    const http = new Http(`http://127.0.0.1:${portOf(server)}`)
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

const portOf = ({ line }: Program) => JSON.parse(line).port as number

/** It has no stream. It answers a post after the bot has, so that one look afterwards finds the answer: the least that a client could do. */
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
        const page = await http.call<{ activities: { from: { name?: string } }[]; watermark: number }>(
          'GET',
          `${path}?watermark=${watermark}`,
        )
        watermark = page.watermark
        answered = page.activities.some(({ from }) => from.name === 'Bot')
      }
    },
    close: () => {},
  }
}
