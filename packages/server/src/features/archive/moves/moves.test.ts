// A workspace moves between two installations behind haproxy while people talk to its hosted bot.
// Servers are killed at each step. MOVE_PRINTS=1 prints how long writes were stopped.
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Cells, openCells, type Workspace } from '../../../../test/support/cells.ts'
import {
  type ChatPeople,
  openChatPeople,
  type Person,
} from '../../../../test/support/chat-people.ts'
import { skipUnlessLong } from '../../../../test/support/long-tests.ts'
import type { RunningServer } from '../../../../test/support/running-server.ts'
import { openSseReader } from '../../../../test/support/sse-reader.ts'

let cells: Cells
beforeAll(async () => {
  cells = await openCells()
}, 120_000)
afterAll(() => cells?.remove(), 60_000)

const echoBot = fileURLToPath(
  new URL('../../../../../../examples/echo-bot/dist/bot.cjs', import.meta.url),
)
const toChatUrl = (url: string, { webhookId }: Workspace) => `${url}/chat/${webhookId}`

interface Answer {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: the tests check what they use
  body: any
}

async function call(
  method: string,
  url: string,
  headers: Record<string, string>,
  body?: unknown,
): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: {
      ...headers,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json')
  return {
    status: response.status,
    headers: response.headers,
    body: isJson ? JSON.parse(text) : text,
  }
}

/** Texts of a conversation in order, as its person reads them. */
async function readTexts(
  url: string,
  { key, conversationId }: Person,
): Promise<string[]> {
  const texts: string[] = []
  let token = ''
  do {
    const path = `/conversations/${conversationId}/messages?${token && `nextToken=${token}`}`
    const { body } = await call('GET', url + path, { 'x-user-key': key })
    texts.push(
      ...body.messages.map((one: { payload: { text: string } }) => one.payload.text),
    )
    token = body.meta.nextToken ?? ''
  } while (token)
  return texts.reverse()
}

const isAnswer = (text: string) => text.startsWith('re: ')

/** Waits until every text is answered. A text without a response may exist or not. */
async function expectNothingLost(url: string, people: ChatPeople) {
  for (const person of people.people) {
    const accepted = person.said
      .filter(({ status }) => status === 201)
      .map(({ text }) => text)
    await vi.waitFor(
      async () => {
        const texts = await readTexts(url, person)
        const said = texts.filter((text) => !isAnswer(text))
        expect(said.filter((text) => accepted.includes(text))).toEqual(accepted)
        expect(new Set(said).size).toBe(said.length)
        expect(texts.filter(isAnswer)).toEqual(said.map((text) => `re: ${text}`))
      },
      { timeout: 40_000, interval: 500 },
    )
  }
}

const findState = async ({ id }: Workspace) =>
  (
    await cells.query<{ state: string }>(
      cells.source,
      'select state from workspace_move where workspace_id = $1',
      [id],
    )
  )[0]?.state

/** Talks until the work has ended, first at the old address, with a pause between two messages. */
async function whileTalking(
  workspace: Workspace,
  work: (people: ChatPeople) => Promise<void>,
  pauseMs = 40,
) {
  const people = await openChatPeople(() => toChatUrl(cells.sourceUrl, workspace), 3)
  const stop = new AbortController()
  const talking = people.talk(pauseMs, stop.signal)
  try {
    await work(people)
  } finally {
    stop.abort()
    await talking
  }
  return people
}

describe('a move while people talk', { timeout: 180_000 }, () => {
  let workspace: Workspace
  let people: ChatPeople
  /** Made before the move. */
  let key: string
  let fileUrl: URL
  let uploadUrl: URL
  let messageBody: object
  let first: Answer
  let reader: ReturnType<typeof openSseReader>
  const asBot = () => ({ authorization: `Bearer ${key}`, 'x-bot-id': workspace.botId })
  const asOwner = () => ({
    authorization: `Bearer ${workspace.token}`,
    'x-workspace-id': workspace.id,
  })
  const large = Buffer.alloc(20_000_000, 'abcdefghij')

  beforeAll(async () => {
    workspace = await cells.createWorkspace()
    const url = cells.sourceUrl
    const { id: botId } = { id: workspace.botId }
    const made = await call('POST', `${url}/v1/admin/bots/baks`, asOwner(), { botId })
    key = made.body.value
    const upload = async (name: string, size: number) =>
      (
        await call('PUT', `${url}/v1/files`, asBot(), {
          key: name,
          size,
          contentType: 'application/octet-stream',
          accessPolicies: [],
        })
      ).body.file as { id: string; uploadUrl: string }
    const file = await upload('small', 11)
    await fetch(
      new URL(new URL(file.uploadUrl).pathname + new URL(file.uploadUrl).search, url),
      {
        method: 'PUT',
        headers: { 'content-type': 'application/octet-stream' },
        body: 'hello world',
      },
    )
    const read = await call('GET', `${url}/v1/files/${file.id}`, asBot())
    fileUrl = new URL(read.body.file.url)
    uploadUrl = new URL((await upload('large', large.length)).uploadUrl)
    people = await whileTalking(workspace, async ({ people: [person], ...talking }) => {
      messageBody = {
        conversationId: person!.conversationId,
        payload: { type: 'text', text: 'keyed' },
      }
      first = await call(
        'POST',
        `${toChatUrl(url, workspace)}/messages`,
        keyed(person!),
        messageBody,
      )
      reader = openSseReader(
        () =>
          `${toChatUrl(url, workspace)}/conversations/${person!.conversationId}/listen`,
        person!.key,
        '0',
      )
      await reader.open()
      void talking
      const scheduled = (ms: number) => ({
        type: 'scheduled',
        payload: {},
        schedule: { delay: ms },
      })
      for (let ms = 2_000; ms <= 40_000; ms += 1_000)
        await call('POST', `${url}/v1/chat/events`, asBot(), scheduled(ms))
      const { code, output } = await cells.move(workspace.id, '--to', cells.targetUrl)
      if (process.env.MOVE_PRINTS) console.log(output)
      expect(output).toContain('lives at')
      expect(code).toBe(0)
      await pause(1_500)
    })
  }, 180_000)
  afterAll(() => {
    reader?.cut()
    people?.close()
  })

  const keyed = ({ key: userKey }: Person) => ({
    'x-user-key': userKey,
    'idempotency-key': 'once',
  })
  const addresses = [
    ['old', () => cells.sourceUrl],
    ['new', () => cells.targetUrl],
  ] as const

  test('answers every request', () => {
    const failed = people.people.flatMap(({ said }) =>
      said.filter(({ status }) => status !== 201),
    )
    expect(failed).toEqual([])
  })

  test.each(addresses)('loses nothing, by the %s address', async (_, url) => {
    const person = people.people[0]!
    if (!person.said.some(({ text }) => text === 'keyed')) {
      const texts = await readTexts(toChatUrl(url(), workspace), person)
      person.said.splice(texts.filter((text) => !isAnswer(text)).indexOf('keyed'), 0, {
        text: 'keyed',
        status: 201,
        messageId: first.body.message.id,
        at: 0,
        answeredAt: 0,
      })
    }
    await expectNothingLost(toChatUrl(url(), workspace), people)
  })

  test.each(addresses)(
    'repeats the response to a key, by the %s address',
    async (_, url) => {
      const [person] = people.people
      const path = `${toChatUrl(url(), workspace)}/messages`
      const again = await call('POST', path, keyed(person!), messageBody)
      expect(again.body).toEqual(first.body)
      expect(again.headers.get('idempotency-replayed')).toBe('true')
    },
  )

  test.each(addresses)(
    'accepts tokens and bot keys, by the %s address',
    async (_, url) => {
      const bot = await call(
        'GET',
        `${url()}/v1/admin/bots/${workspace.botId}`,
        asOwner(),
      )
      expect(bot.status).toBe(200)
      const events = await call('GET', `${url()}/v1/chat/conversations`, asBot())
      expect(events.status).toBe(200)
      const foreign = await call('GET', `${url()}/v1/admin/bots/${workspace.botId}`, {
        authorization: 'Bearer bp_pat_none',
      })
      expect(foreign.status).toBe(401)
    },
  )

  test.each(addresses)(
    'serves a URL of a file from before, by the %s address',
    async (_, url) => {
      const at = new URL(fileUrl.pathname + fileUrl.search, url())
      expect((await fetch(at)).status).toBe(200)
      expect(await (await fetch(at)).text()).toBe('hello world')
      at.searchParams.set('expires', '99999999999999')
      expect((await fetch(at)).status).toBe(403)
    },
  )

  test('prints the new address after a deployment by the old one', async () => {
    const { output } = await cells.run('deploy', echoBot, '--workspace', workspace.id)
    expect(output).toContain(`--server ${cells.targetUrl} --workspace ${workspace.id}`)
    const chatUrl = /Chat API +(\S+)/.exec(output)![1]!
    expect(chatUrl).toContain(cells.targetUrl)
    expect((await call('POST', `${chatUrl}/users`, {}, {})).status).toBe(201)
  })

  test('forwards a large upload', async () => {
    const at = new URL(uploadUrl.pathname + uploadUrl.search, cells.sourceUrl)
    const sent = await fetch(at, {
      method: 'PUT',
      headers: { 'content-type': 'application/octet-stream' },
      body: large,
    })
    expect(sent.status).toBe(200)
    const [, , , fileId] = uploadUrl.pathname.split('/').slice(1)
    const read = await call('GET', `${cells.targetUrl}/v1/files/${fileId}`, asBot())
    const back = await fetch(
      new URL(
        new URL(read.body.file.url).pathname + new URL(read.body.file.url).search,
        cells.sourceUrl,
      ),
    )
    expect(Buffer.from(await back.arrayBuffer()).equals(large)).toBe(true)
  })

  test('ends streams at the move, and continues them without a gap', async () => {
    await reader.ended()
    await reader.open()
    const [person] = people.people
    const url = toChatUrl(cells.sourceUrl, workspace)
    const { text } = await people.say(person!, 'after the move')
    await vi.waitFor(
      async () => {
        const seen = reader.frames
          .filter(({ type }) => type === 'message_created')
          .map(({ data }) => data.payload.text)
        expect(seen).toContain(`re: ${text}`)
        expect(seen).toEqual(await readTexts(url, person!))
      },
      { timeout: 20_000 },
    )
  })

  test('fires each scheduled event once', async () => {
    await vi.waitFor(
      async () => {
        const [row] = await cells.query<{ count: number }>(
          cells.target,
          `select count(*)::int as count from event where bot_id = $1 and type = 'scheduled'
             and status in ('pending', 'scheduled')`,
          [workspace.botId],
        )
        expect(row!.count).toBe(0)
      },
      { timeout: 60_000, interval: 500 },
    )
    const [row] = await cells.query<{ count: number; twice: number }>(
      cells.target,
      `select count(*)::int as count, (select count(*)::int from resting_bot) as twice from event
         where bot_id = $1 and type = 'scheduled'`,
      [workspace.botId],
    )
    expect(row).toEqual({ count: 39, twice: 0 })
  })

  test('changes nothing at the source any more', async () => {
    const write = cells.query(cells.source, 'update bot set name = $2 where id = $1', [
      workspace.botId,
      'late',
    ])
    await expect(write).rejects.toMatchObject({ code: 'PM001' })
  })

  test('deletes the workspace at the source, and serves it at the target alone', async () => {
    const { code, output } = await cells.move(workspace.id, '--end-forwarding', '--yes')
    expect({ code, output }).toMatchObject({
      code: 0,
      output: expect.stringContaining('deleted'),
    })
    const old = await call(
      'GET',
      `${cells.sourceUrl}/v1/admin/bots/${workspace.botId}`,
      asOwner(),
    )
    expect(old.status).toBe(401)
    const now = await call(
      'GET',
      `${cells.targetUrl}/v1/admin/bots/${workspace.botId}`,
      asOwner(),
    )
    expect(now.status).toBe(200)
    const left = await cells.query(
      cells.source,
      "select proname from pg_proc where proname like 'move_0%'",
    )
    expect(left).toEqual([])
    const rows = await cells.query(
      cells.source,
      'select from bot where workspace_id = $1',
      [workspace.id],
    )
    expect(rows).toHaveLength(0)
  })
})

const order = [
  'requested',
  'copying',
  'following',
  'pausing',
  'stopped',
  'deciding',
  'moved',
]

/** Kills the server as soon as the move has reached the state, and starts it again. */
async function killAt(workspace: Workspace, state: string, server: () => RunningServer) {
  for (;;) {
    const now = await findState(workspace)
    if (now && order.indexOf(now) >= order.indexOf(state)) break
    await pause(5)
  }
  await server().stop('SIGKILL')
  await pause(200)
  await server().start()
}

describe('kills', () => {
  beforeEach((context) =>
    skipUnlessLong(context, 'kills a server in each state of a move'),
  )
  const sides = ['source', 'target'] as const
  const all = order.slice(0, 6).flatMap((state) => sides.map((side) => ({ state, side })))
  /** Without CRASH_KILLS, one side in each state. */
  const cases = process.env.CRASH_KILLS
    ? all
    : all.filter((_, at) => [0, 3].includes(at % 4))

  test.each(cases)(
    'continues after a kill of the $side while $state',
    {
      timeout: 300_000,
    },
    async ({ state, side }) => {
      const workspace = await cells.createWorkspace()
      const moveAndKill = async () => {
        await pause(500)
        const moving = cells.move(workspace.id, '--to', cells.targetUrl)
        await killAt(workspace, state, () => cells[side])
        await moving // it may have lost its connection
        await vi.waitFor(async () => expect(await findState(workspace)).toBe('moved'), {
          timeout: 180_000,
          interval: 300,
        })
        await pause(500)
      }
      // Slowly: the bot would answer a faster talk long after the move.
      const people = await whileTalking(workspace, moveAndKill, 250)
      await expectNothingLost(toChatUrl(cells.sourceUrl, workspace), people)
      await expectNothingLost(toChatUrl(cells.targetUrl, workspace), people)
      people.close()
    },
  )
})
