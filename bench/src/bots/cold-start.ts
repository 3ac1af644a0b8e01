// Measures the first turn of a bot without a running process.
import type { OpenChatServer } from '../chat.ts'
import { median, printTable, progress, ratio, shuffled, spread } from '../report.ts'

export async function measureColdStart(servers: OpenChatServer[], rounds: number) {
  progress('cold starts')
  const times = new Map<OpenChatServer, number[]>(servers.map((server) => [server, []]))
  for (let round = 0; round < rounds; round++) {
    for (const server of shuffled(servers)) {
      const talk = await server.openTalk()
      await server.coolBot()
      const from = performance.now()
      await talk.turn('Are you awake?')
      times.get(server)!.push(performance.now() - from)
      talk.close()
    }
  }
  const base = median(times.get(servers[0]!)!)
  printTable(
    'First turn of a bot without a running process',
    ['', 'ms, median (range)', `relative to ${servers[0]!.name}`],
    servers.map((server) => [
      server.name,
      spread(times.get(server)!),
      ratio(median(times.get(server)!), base),
    ]),
  )
}
