// Uploads and downloads through signed URLs, compared with a program that only streams to and from
// the disk.
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Agent } from 'undici'
import type { RunningServer } from '../botstead-server.ts'
import { cpuMs, startProgram } from '../processes.ts'
import {
  digits,
  median,
  printTable,
  progress,
  ratio,
  shuffled,
  spread,
} from '../report.ts'

interface FilesPlan {
  rounds: number
  large: { bytes: number; count: number; atOnce: number }
  small: { bytes: number; count: number; atOnce: number }
}

interface FileServer {
  name: string
  pids: number[]
  /** Returns the upload URL of a new file. */
  announce(key: string, size: number): Promise<string>
  /** Returns the download URL. */
  find(key: string): Promise<string>
}

interface Round {
  perSecond: number
  cpu: number
}

const type = 'application/octet-stream'
const megabyte = 1_048_576
// Keeps connections open: the measurement of small files includes the request for the upload URL,
// not connecting.
const agent = new Agent({ connections: 64 })

export async function measureFiles(
  server: RunningServer,
  databasePid: number,
  folder: string,
  { rounds, large, small }: FilesPlan,
) {
  progress('files')
  const bareFolder = await mkdtemp(join(folder, 'bare-files-'))
  const program = await startProgram(
    'the bare stream',
    [fileURLToPath(new URL('../baselines/bare-files.js', import.meta.url))],
    {
      env: { PATH: process.env.PATH, BARE_FOLDER: bareFolder },
      readyLine: true,
    },
  )
  try {
    const fileServers = [
      toBareFileServer(program.pid, JSON.parse(program.line).port),
      toBotsteadFileServer(server, databasePid),
    ]
    await compareLarge(fileServers, rounds, large)
    await compareSmall(fileServers, rounds, small)
  } finally {
    await program.stop()
  }
}

async function compareLarge(
  fileServers: FileServer[],
  rounds: number,
  large: FilesPlan['large'],
) {
  const size = `${digits(large.bytes / megabyte)} MB`
  await compare(
    `Uploads of ${size}, ${large.atOnce} at a time`,
    'MB/s',
    fileServers,
    rounds,
    async (fileServer, round) => {
      const urls = await Promise.all(
        keys('large', round, large.count).map((key) =>
          fileServer.announce(key, large.bytes),
        ),
      )
      const content = Buffer.alloc(large.bytes, 'x')
      return timed(
        fileServer,
        large.atOnce,
        urls,
        (url) => put(url, content),
        (large.bytes * large.count) / megabyte,
      )
    },
  )
  await compare(
    `Downloads of ${size}, ${large.atOnce} at a time`,
    'MB/s',
    fileServers,
    rounds,
    async (fileServer, round) => {
      const urls = await Promise.all(
        keys('large', round, large.count).map((key) => fileServer.find(key)),
      )
      return timed(
        fileServer,
        large.atOnce,
        urls,
        get,
        (large.bytes * large.count) / megabyte,
      )
    },
  )
}

async function compareSmall(
  fileServers: FileServer[],
  rounds: number,
  small: FilesPlan['small'],
) {
  const content = Buffer.alloc(small.bytes, 'x')
  await compare(
    `Files of ${digits(small.bytes / 1024)} KB created and uploaded, ${small.atOnce} at a time`,
    'files/s',
    fileServers,
    rounds,
    (fileServer, round) =>
      timed(
        fileServer,
        small.atOnce,
        keys('small', round, small.count),
        async (key) => put(await fileServer.announce(key, small.bytes), content),
        small.count,
      ),
  )
}

const keys = (kind: string, round: number, count: number) =>
  Array.from({ length: count }, (_, nth) => `${kind}-${round}-${nth}`)

async function compare(
  title: string,
  unit: string,
  fileServers: FileServer[],
  rounds: number,
  run: (fileServer: FileServer, round: number) => Promise<Round>,
) {
  const results = new Map<FileServer, Round[]>(
    fileServers.map((fileServer) => [fileServer, []]),
  )
  for (let round = 0; round < rounds; round++)
    for (const fileServer of shuffled(fileServers))
      results.get(fileServer)!.push(await run(fileServer, round))
  const rates = (fileServer: FileServer) =>
    results.get(fileServer)!.map(({ perSecond }) => perSecond)
  printTable(
    title,
    [
      '',
      `${unit}, median (range)`,
      `relative to ${fileServers[0]!.name}`,
      `CPU ms per ${unit.split('/')[0]}`,
    ],
    fileServers.map((fileServer) => [
      fileServer.name,
      spread(rates(fileServer)),
      ratio(median(rates(fileServer)), median(rates(fileServers[0]!))),
      digits(median(results.get(fileServer)!.map(({ cpu }) => cpu))),
    ]),
  )
}

/** Runs work for all items. `amount` is their total, in the unit of the table. */
async function timed<Item>(
  fileServer: FileServer,
  atOnce: number,
  items: Item[],
  work: (item: Item) => Promise<void>,
  amount: number,
): Promise<Round> {
  const before = cpuMs(fileServer.pids)
  const begin = performance.now()
  const remaining = [...items]
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let item = remaining.pop(); item !== undefined; item = remaining.pop())
        await work(item)
    }),
  )
  return {
    perSecond: (amount * 1000) / (performance.now() - begin),
    cpu: (cpuMs(fileServer.pids) - before) / amount,
  }
}

async function put(url: string, body: Buffer) {
  const { origin, pathname, search } = new URL(url)
  const reply = await agent.request({
    origin,
    path: pathname + search,
    method: 'PUT',
    headers: { 'content-type': type },
    body,
  })
  const text = await reply.body.text()
  if (reply.statusCode !== 200)
    throw new Error(`An upload returned status ${reply.statusCode}: ${text}`)
}

async function get(url: string) {
  const { origin, pathname, search } = new URL(url)
  const reply = await agent.request({ origin, path: pathname + search, method: 'GET' })
  if (reply.statusCode !== 200)
    throw new Error(`A download returned status ${reply.statusCode}`)
  for await (const _ of reply.body);
}

function toBareFileServer(pid: number, port: number): FileServer {
  const url = async (key: string) => `http://127.0.0.1:${port}/${key}`
  return { name: 'bare stream', pids: [pid], announce: url, find: url }
}

function toBotsteadFileServer(
  { program, http, credentials }: RunningServer,
  databasePid: number,
): FileServer {
  const headers = {
    authorization: `Bearer ${credentials.token}`,
    'x-bot-id': credentials.botId,
  }
  const ask = (method: 'GET' | 'PUT', path: string, body?: object) =>
    http
      .call<{ file: { url: string; uploadUrl: string } }>(
        method,
        `/v1/files${path}`,
        headers,
        body,
      )
      .then(({ file }) => file)
  return {
    name: 'Botstead',
    pids: [program.pid, databasePid],
    announce: async (key, size) =>
      (await ask('PUT', '', { key, size, contentType: type })).uploadUrl,
    find: async (key) => (await ask('GET', `/${key}`)).url,
  }
}
