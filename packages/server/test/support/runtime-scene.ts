// A scene with an integration at a URL, installed twice (as `tg` and `other`), a bot at a URL, and
// a second bot of the same workspace with the same integration, which must never see data of the
// first.
import { sql } from 'kysely'
import { openCodeServer, type ReceivedCall } from './code-at-url.ts'
import { telegram } from './messaging-rows.ts'
import { openScene, type Scene, type SceneOptions } from './scene.ts'

export type Invoked = Omit<ReceivedCall, 'operation'>

export type RuntimeCaller =
  | 'bot'
  | 'tg'
  | 'other'
  | 'stranger'
  | 'strangers bot'
  | 'nobody'

interface Answer {
  status?: number
  body?: unknown
  afterMs?: number
}

export interface RuntimeScene extends Scene {
  /** Headers of the integration `tg`, of `other`, and of `tg` in the second bot. */
  asTg: Record<string, string>
  asOther: Record<string, string>
  asStranger: Record<string, string>
  strangerBotId: string
  /** Returns the headers of a caller. */
  headersOf(caller: RuntimeCaller): Record<string, string>
  /** The invocations in order, without register calls. */
  invoked: Invoked[]
  /** Sets the response of the code. */
  answerWith(answer: (invoked: Invoked) => Answer | Promise<Answer>): void
  /** Waits for a number of calls of an operation. */
  heard(operation: string, count: number): Promise<Invoked[]>
}

export async function openRuntimeScene(
  options: SceneOptions = {},
): Promise<RuntimeScene> {
  const invoked: Invoked[] = []
  let answer: Parameters<RuntimeScene['answerWith']>[0] = () => ({})
  const code = await openCodeServer(async ({ operation, ...call }) => {
    if (operation === 'register') return {}
    invoked.push(call)
    const { afterMs = 0, ...said } = await answer(call)
    await new Promise((resolve) => setTimeout(resolve, afterMs))
    return said
  })
  const url = `${code.url}/`
  const scene = await openScene(options)
  const integrationId = 'intver_01J0000000000000000TELEGRAM'
  await sql`
    insert into integration (id, workspace_id, name, version, url, definition)
    values (${integrationId}, ${scene.workspaceId}, 'telegram', '1.0.0', ${url},
      ${JSON.stringify(telegram)}::jsonb)`.execute(scene.app.services.db)
  const install = (botId: string, aliases: string[]) =>
    scene.call('PUT', `/v1/admin/bots/${botId}`, {
      headers: { ...scene.admin, 'x-multiple-integrations': 'true' },
      body: {
        url,
        integrations: Object.fromEntries(
          aliases.map((alias) => [
            alias,
            { integrationId, enabled: true, configuration: {} },
          ]),
        ),
      },
    })
  const { body } = await scene.call('POST', '/v1/admin/bots', {
    headers: scene.admin,
    body: {},
  })
  await install(scene.botId, ['tg', 'other'])
  await install(body.bot.id, ['tg'])

  const asTg = { ...scene.asBot, 'x-integration-alias': 'tg' }
  const asOther = { ...scene.asBot, 'x-integration-alias': 'other' }
  const asStrangersBot = { ...scene.asBot, 'x-bot-id': body.bot.id }
  const asStranger = { ...asStrangersBot, 'x-integration-alias': 'tg' }
  const callers = {
    bot: scene.asBot,
    tg: asTg,
    other: asOther,
    stranger: asStranger,
    'strangers bot': asStrangersBot,
    nobody: { 'x-bot-id': scene.botId },
  }

  return {
    ...scene,
    asTg,
    asOther,
    asStranger,
    headersOf: (caller) => callers[caller],
    strangerBotId: body.bot.id,
    invoked,
    answerWith(given) {
      answer = given
    },
    heard: (operation, count) => waitForCalls(invoked, operation, count),
    async close() {
      await scene.close()
      await code.close()
    },
  }
}

async function waitForCalls(invoked: Invoked[], operation: string, count: number) {
  const found = () =>
    invoked.filter(({ headers }) => headers['x-bp-operation'] === operation)
  for (const until = Date.now() + 5_000; found().length < count && Date.now() < until; )
    await new Promise((resolve) => setTimeout(resolve, 10))
  return found()
}
