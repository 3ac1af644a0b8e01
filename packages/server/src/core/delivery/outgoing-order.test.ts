// A bot's messages in a conversation reach the integration in the order in which they were sent:
// with failures of the integration, with two server processes, and with redeliveries in between.
// fast-check prints the seed; BOTSTEAD_ORDER_RUNS sets the number of runs.
import fc from 'fast-check'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import {
  openRuntimeScene,
  type RuntimeScene,
} from '../../../test/support/runtime-scene.ts'
import { type App, openApp } from '../../app/app.ts'

const runs = Number(process.env.BOTSTEAD_ORDER_RUNS ?? 6)

let scene: RuntimeScene
let other: App
let userId: string

beforeAll(async () => {
  scene = await openRuntimeScene()
  const { config, log: _ } = scene.app.services
  other = await openApp({
    config,
    log: pino({ level: 'silent' }),
    connection: scene.connection,
    masterKey: scene.masterKey,
    chatKey: scene.chatKey,
  })
  userId = scene.botId
}, 60_000)
afterAll(async () => {
  await other?.close()
  await scene?.close()
})

/**
 * `at`: the process that receives the message. `failures`: how many of its delivery attempts fail;
 * the third is final.
 */
const messageArbitrary = fc.record({
  at: fc.nat(1),
  failures: fc.constantFrom(0, 0, 0, 1, 2, 3),
})
const pending = async () =>
  Number(
    (
      await scene.app.services.db
        .selectFrom('lane')
        .select(({ fn }) => fn.sum<string>('pending').as('n'))
        .executeTakeFirstOrThrow()
    ).n,
  )

test('delivers in the order of sending, across retries, redeliveries and two processes', {
  timeout: 300_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(messageArbitrary, { minLength: 5, maxLength: 30 }),
      fc.nat(30),
      async (messages, redeliverAfter) => {
        const { body } = await scene.call('POST', '/v1/chat/conversations', {
          headers: scene.asTg,
          body: { channel: 'dm', tags: {} },
        })
        const conversationId = body.conversation.id as string
        const failuresLeft = new Map<string, number>()
        scene.invoked.length = 0
        scene.answerWith(({ body: { payload } }) => {
          const failures = failuresLeft.get(payload?.text) ?? 0
          failuresLeft.set(payload?.text, failures - 1)
          return { status: failures > 0 ? 500 : 200 }
        })
        const redeliver = () =>
          scene.call('POST', '/v1/platform/dead-letters/redeliver', {
            headers: scene.asBot,
            body: { conversationId },
          })
        const sent: string[] = []
        for (const [nth, { at, failures }] of messages.entries()) {
          failuresLeft.set(String(nth), failures)
          const { server } = [scene.app, other][at]!
          const payload = {
            conversationId,
            userId,
            type: 'text',
            tags: {},
            payload: { text: String(nth) },
          }
          expect(
            (
              await server.inject({
                method: 'POST',
                url: '/v1/chat/messages',
                headers: scene.asBot,
                payload,
              })
            ).statusCode,
          ).toBe(201)
          sent.push(String(nth))
          if (nth === redeliverAfter) await redeliver()
        }
        await vi.waitFor(async () => expect(await pending()).toBe(0), {
          timeout: 30_000,
          interval: 20,
        })
        await redeliver()
        await vi.waitFor(async () => expect(await pending()).toBe(0), {
          timeout: 30_000,
          interval: 20,
        })
        const delivered = scene.invoked
          .filter(({ headers }) => headers['x-bp-operation'] === 'message_created')
          .map(({ body: { payload } }) => payload.text as string)
        expect([...new Set(delivered)]).toEqual(sent)
        // Dead letters are delivered once more after their last failure. All attempts of a message
        // come before the next message.
        for (const [nth, { failures }] of messages.entries())
          expect(delivered.filter((text) => text === String(nth)).length).toBe(
            failures + 1,
          )
        const first = messages.flatMap(({ failures }, nth) =>
          Array<string>(Math.min(failures + 1, 3)).fill(String(nth)),
        )
        const later = messages.flatMap(({ failures }, nth) =>
          failures === 3 ? [String(nth)] : [],
        )
        if (redeliverAfter >= messages.length)
          expect(delivered).toEqual([...first, ...later])
      },
    ),
    { numRuns: runs, ...(process.env.SEED && { seed: Number(process.env.SEED) }) },
  )
})
