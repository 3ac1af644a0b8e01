// getOrCreateConversation in bursts, as from webhooks: many concurrent requests for the same tags,
// compared with as many for different tags.

import type { RunningServer } from '../botstead-server.ts'
import {
  digits,
  median,
  printTable,
  progress,
  quantile,
  ratio,
  spread,
} from '../report.ts'

interface Burst {
  name: string
  /** Returns the tag of a client's request in a round. */
  tag(round: number, client: number): string
  /** Whether the conversations exist before the burst. */
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
      name: 'different tags, new',
      tag: (round, client) => `own ${round} ${client}`,
      exists: false,
      times: [],
      latencies: [],
    },
    {
      name: 'same tags, new',
      tag: (round) => `same ${round}`,
      exists: false,
      times: [],
      latencies: [],
    },
    {
      name: 'different tags, existing',
      tag: (round, client) => `own ${round} ${client}`,
      exists: true,
      times: [],
      latencies: [],
    },
    {
      name: 'same tags, existing',
      tag: (round) => `same ${round}`,
      exists: true,
      times: [],
      latencies: [],
    },
  ]
  for (let client = 0; client < clients; client++) await ask(server, `warm ${client % 4}`)
  for (const burst of bursts)
    for (let round = 0; round < rounds; round++)
      await runBurst(server, burst, round, clients)
  const base = median(bursts[0]!.times)
  printTable(
    `getOrCreateConversation, ${clients} concurrent requests`,
    [
      '',
      'ms for all, median (range)',
      `relative to ${bursts[0]!.name}`,
      'p50 ms of one',
      'p99 ms',
    ],
    bursts.map(({ name, times, latencies }) => [
      name,
      spread(times),
      ratio(median(times), base),
      digits(quantile(latencies, 0.5)),
      digits(quantile(latencies, 0.99)),
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
  const found = await Promise.all(
    Array.from({ length: clients }, (_, client) => one(client)),
  )
  times.push(performance.now() - begin)
  // Fails if the results are wrong, because their times mean nothing.
  const tags = new Set(found.map(({ tag }) => tag)).size
  const ids = new Set(found.map(({ id }) => id)).size
  const created = found.filter(({ created }) => created).length
  if (ids !== tags || created !== (exists ? 0 : tags))
    throw new Error(
      `${clients} requests for ${tags} conversations returned ${ids}, of which ${created} are new`,
    )
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
