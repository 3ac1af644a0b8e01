// getOrCreateConversation as a burst of webhooks asks for it: many for the same tags at once. Beside it, as many for tags of their own.
import { digits, median, progress, quantile, ratio, spread, table } from './report.ts'
import type { RunningServer } from './server-place.ts'

interface Burst {
  name: string
  /** The tag that a client asks for in a round. */
  tag(round: number, client: number): string
  /** Made beforehand. */
  exists: boolean
  times: number[]
  latencies: number[]
}

export async function measureContention(
  server: RunningServer,
  { clients, rounds }: { clients: number; rounds: number },
) {
  progress('getOrCreateConversation')
  const bursts: Burst[] = [
    {
      name: 'each its own, new',
      tag: (round, client) => `own ${round} ${client}`,
      exists: false,
      times: [],
      latencies: [],
    },
    { name: 'all the same, new', tag: (round) => `same ${round}`, exists: false, times: [], latencies: [] },
    {
      name: 'each its own, there already',
      tag: (round, client) => `own ${round} ${client}`,
      exists: true,
      times: [],
      latencies: [],
    },
    {
      name: 'all the same, there already',
      tag: (round) => `same ${round}`,
      exists: true,
      times: [],
      latencies: [],
    },
  ]
  for (let client = 0; client < clients; client++) await ask(server, `warm ${client % 4}`)
  for (const burst of bursts)
    for (let round = 0; round < rounds; round++) await runBurst(server, burst, round, clients)
  const base = median(bursts[0]!.times)
  table(
    `getOrCreateConversation, ${clients} at once`,
    ['for', 'ms until all have it, median (range)', `of ${bursts[0]!.name}`, 'p50 ms of one', 'p99 ms'],
    bursts.map(({ name, times, latencies }) => [
      ...[name, spread(times), ratio(median(times), base)],
      ...[digits(quantile(latencies, 0.5)), digits(quantile(latencies, 0.99))],
    ]),
  )
}

async function runBurst(
  server: RunningServer,
  { tag, exists, times, latencies }: Burst,
  round: number,
  clients: number,
) {
  const begin = performance.now()
  const one = async (client: number) => {
    const found = await ask(server, tag(round, client))
    latencies.push(performance.now() - begin)
    return { tag: tag(round, client), ...found }
  }
  const found = await Promise.all(Array.from({ length: clients }, (_, client) => one(client)))
  times.push(performance.now() - begin)
  // A figure for what was done wrong is worth nothing.
  const tags = new Set(found.map(({ tag }) => tag)).size
  const ids = new Set(found.map(({ id }) => id)).size
  const created = found.filter(({ created }) => created).length
  if (ids !== tags || created !== (exists ? 0 : tags))
    throw new Error(`${clients} asked for ${tags} conversations, and got ${ids}, ${created} of them new`)
}

async function ask(
  { http, credentials }: RunningServer,
  fid: string,
): Promise<{ id: string; created: boolean }> {
  const headers = {
    authorization: `Bearer ${credentials.token}`,
    'x-bot-id': credentials.botId,
    'x-integration-alias': 'chat',
  }
  const body = { channel: 'channel', tags: { fid } }
  const { conversation, meta } = await http.call<{
    conversation: { id: string }
    meta: { created: boolean }
  }>('POST', '/v1/chat/conversations/get-or-create', headers, body)
  return { id: conversation.id, created: meta.created }
}
