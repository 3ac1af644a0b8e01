// Many keys, each sent ten times at once, with one effect each. BOTSTEAD_KEYS=1000 sets the number
// of keys per operation.
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Effect, effectsFor, storedBy } from '../../../test/support/keyed-effects.ts'
import { openScene, type Scene } from '../../../test/support/scene.ts'
import { type App, openApp } from '../../app/app.ts'

const keys = Number(process.env.BOTSTEAD_KEYS ?? 100)
const copies = 10
/** Number of concurrent keys. */
const width = 25

let scene: Scene
/** Another server on the same database. */
let twin: App
let effects: Effect[]

beforeAll(async () => {
  scene = await openScene({ config: { checkAnswers: false } })
  const { services } = scene.app
  const options = {
    config: services.config,
    log: services.log,
    connection: scene.connection,
    masterKey: scene.masterKey,
    chatKey: scene.chatKey,
  }
  twin = await openApp(options)
  const { headers } = await scene.chatUser()
  const chat = `/chat/${scene.webhookId}`
  const { body } = await scene.call('POST', `${chat}/conversations`, {
    headers,
    body: {},
  })
  effects = effectsFor({
    asBot: scene.asBot,
    botId: scene.botId,
    chat,
    asUser: headers,
    conversationId: body.conversation.id,
  })
})
afterAll(async () => {
  await twin?.close()
  await scene?.close()
})

async function send(app: App, effect: Effect, mark: string, key: string) {
  const { path, headers, body } = effect.request(mark)
  const reply = await app.server.inject({
    method: 'POST',
    url: path,
    headers: { ...headers, 'idempotency-key': key },
    payload: body,
  })
  return { status: reply.statusCode, text: reply.body, body: reply.json() }
}

test.each([0, 1, 2, 3, 4])(
  `${keys} keys, ${copies} times each, at two servers: operation %i`,
  { timeout: 60_000 + keys * 1_000 },
  async (which) => {
    const effect = effects[which]!
    const marks = Array.from({ length: keys }, () => randomUUID())
    const answers = new Map<string, string[]>()
    for (let from = 0; from < keys; from += width) {
      await Promise.all(
        marks.slice(from, from + width).map(async (mark) => {
          const copy = (_: unknown, i: number) =>
            send(i % 3 === 2 ? twin : scene.app, effect, mark, mark)
          const replies = await Promise.all(Array.from({ length: copies }, copy))
          answers.set(
            mark,
            replies.map(({ status, text }) => `${status} ${text}`),
          )
        }),
      )
    }
    const stored = await storedBy(scene.connection, effect, marks)
    for (const mark of marks) {
      const [answer, ...others] = new Set(answers.get(mark))
      expect([others, answer?.slice(0, 3)]).toEqual([[], '201'])
      expect(stored.get(mark)).toEqual([effect.idIn(JSON.parse(answer!.slice(4)))])
    }
  },
)

interface KeyedRequest {
  key: number
  content: number
  server: number
  caller: number
  delayMs: number
}
/** One step: concurrent requests, after which the keys may expire. */
interface Step {
  requests: KeyedRequest[]
  dayPasses: boolean
}

const requestArbitrary: fc.Arbitrary<KeyedRequest> = fc.record({
  key: fc.nat(1),
  // The third content is rejected because its conversation does not exist.
  content: fc.nat(2),
  server: fc.nat(1),
  caller: fc.nat(1),
  delayMs: fc.nat(6),
})
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    requests: fc.array(requestArbitrary, { minLength: 1, maxLength: 8 }),
    dayPasses: fc.boolean(),
  }),
  {
    minLength: 1,
    maxLength: 4,
  },
)

test('a key has one content and one effect per day, for random sequences of requests', {
  timeout: 120_000,
}, async () => {
  const nowhere = 'conv_01J0000000000000000000000X'
  const [message, ofChat] = [effects[3]!, effects[4]!]
  const runs = fc.asyncProperty(steps, async (given) => {
    const run = randomUUID()
    /** Content and answer bound to each key of each caller, until the keys expire. */
    const bound = new Map<string, { content: number; text: string }>()
    let effectsExpected = 0
    for (const { requests, dayPasses } of given) {
      const replies = await Promise.all(
        requests.map(async (one) => {
          await new Promise((resolve) => setTimeout(resolve, one.delayMs))
          const effect = one.caller === 0 ? message : ofChat
          const aimed: Effect =
            one.content < 2
              ? effect
              : { ...effect, request: (mark) => elsewhere(effect.request(mark), nowhere) }
          const { status, text, body } = await send(
            one.server === 0 ? scene.app : twin,
            aimed,
            `${run} ${one.content}`,
            `${run}-${one.key}`,
          )
          return {
            ...one,
            status,
            text,
            type: body.type as string,
            name: `${one.caller} ${one.key}`,
          }
        }),
      )
      for (const name of new Set(replies.map((reply) => reply.name))) {
        const ofKey = replies.filter((reply) => reply.name === name)
        const taken = ofKey.filter(({ status }) => status === 201)
        const known =
          bound.get(name) ??
          (taken[0] && { content: taken[0].content, text: taken[0].text })
        if (!bound.has(name) && known) effectsExpected++
        if (known) bound.set(name, known)
        for (const { content, status, text, type } of ofKey) {
          if (known?.content === content)
            expect([status, text]).toEqual([201, known.text])
          else if (content < 2) expect([status, type]).toEqual([409, 'RelationConflict'])
          else expect([403, 404, 409]).toContain(status)
        }
        // Valid contents bind the key.
        if (ofKey.some(({ content }) => content < 2)) expect(known).toBeDefined()
      }
      if (dayPasses) {
        await sql`update idempotency_key set created_at = created_at - interval '25 hours'`.execute(
          scene.app.services.db,
        )
        bound.clear()
      }
    }
    const stored = await storedBy(scene.connection, message, [
      `${run} 0`,
      `${run} 1`,
      `${run} 2`,
    ])
    expect([...stored.values()].flat()).toHaveLength(effectsExpected)
  })
  await fc.assert(runs, { numRuns: Number(process.env.BOTSTEAD_KEY_RUNS ?? 30) })
})

const elsewhere = (request: ReturnType<Effect['request']>, conversationId: string) => ({
  ...request,
  body: { ...request.body, conversationId },
})
