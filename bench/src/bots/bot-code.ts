// CPU that the code of a bot itself needs for a turn, without Botstead: the bot's handler receives
// events in a Node process, and sends each answer to an API that only confirms it.
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startProgram } from '../processes.ts'
import {
  digits,
  median,
  printTable,
  progress,
  ratio,
  shuffled,
  spread,
} from '../report.ts'

const fileAt = (path: string) => fileURLToPath(new URL(path, import.meta.url))
/** How esbuild's `keepNames`, which the official command line sets, names each new function. */
const namingHelper = /(=\((\w+),\w+\)=>)\w+\(\2,"name",\{value:\w+,configurable:!0\}\)/

export async function measureBotCode(
  folder: string,
  plan: { rounds: number; turns: number },
) {
  progress('code of bots')
  const plain = fileAt('../../bots/plain-bot.cjs')
  const sdk = fileAt('../../../examples/echo-bot/dist/bot.cjs')
  const bots: (Code & { name: string })[] = [
    { name: 'plain bot', file: plain },
    { name: 'SDK bot', file: sdk },
    { name: 'SDK bot, as hosted', file: sdk, hosted: true },
    { name: 'SDK bot, built without `keepNames`', file: await withoutNames(sdk, folder) },
  ]
  const times = new Map(bots.map(({ name }) => [name, [] as number[]]))
  const api = await openApi()
  try {
    for (let round = 0; round < plan.rounds; round++)
      for (const { name, file, hosted } of shuffled(bots))
        times
          .get(name)!
          .push(await microsecondsPerTurn({ file, hosted }, api.url, plan.turns))
  } finally {
    api.close()
  }
  const base = median(times.get('plain bot')!)
  printTable(
    'Code of a bot alone, 10 turns at a time',
    ['', 'CPU µs per turn, median (range)', 'relative to plain bot'],
    [...times].map(([name, all]) => [name, spread(all), ratio(median(all), base)]),
    [`Each process runs ${digits(plan.turns)} turns after as many for warm-up.`],
  )
}

async function withoutNames(bundle: string, folder: string): Promise<string> {
  const code = await readFile(bundle, 'utf8')
  const plain = code.replace(namingHelper, '$1$2')
  if (plain === code) throw new Error(`${bundle} has no helper for names`)
  const file = join(folder, 'without-names.cjs')
  await writeFile(file, plain)
  return file
}

async function openApi() {
  const server = createServer((request, reply) => {
    request.resume().on('end', () => {
      reply.writeHead(201, { 'content-type': 'application/json' })
      reply.end('{"message":{"id":"msg_1","type":"text","payload":{},"tags":{}}}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() }
}

interface Code {
  file: string
  /** With the replacements of the bot host. */
  hosted?: boolean | undefined
}

async function microsecondsPerTurn(
  bot: Code,
  apiUrl: string,
  turns: number,
): Promise<number> {
  const { line, stop } = await startProgram(
    'the process with the code of a bot',
    [
      fileAt('./bot-code-process.js'),
      bot.file,
      String(turns),
      ...(bot.hosted ? ['hosted'] : []),
    ],
    {
      env: { PATH: process.env.PATH, BP_API_URL: apiUrl, BP_TOKEN: 'token' },
      readyLine: true,
    },
  )
  await stop()
  return JSON.parse(line).microseconds
}
