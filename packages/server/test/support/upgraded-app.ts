// This version on an installation of a released one, which must answer as before.
import pino from 'pino'
import { expect } from 'vitest'
import { type App, openApp } from '../../src/app/app.ts'
import type { ConnectionSettings } from '../../src/core/db/database.ts'
import { migrate } from '../../src/core/db/migrating/migrate.ts'
import { openKeys } from '../../src/core/installation/keys.ts'
import { testConfig } from './scene.ts'
import type { Recorded } from './versions.ts'

type Answer = Recorded['answers'][number]['answer']
const log = pino({ level: 'silent' })

/** Opens this version on an older installation. */
export async function openUpgraded(settings: ConnectionSettings, dataFolder: string) {
  await migrate(settings, log)
  const config = { ...testConfig(), dataFolder }
  const { master, chat } = await openKeys(config)
  const app = await openApp({
    config,
    log,
    connection: settings,
    masterKey: master,
    chatKey: chat,
  })
  app.address.api = await app.server.listen({ host: '127.0.0.1', port: 0 })
  return app
}

export const request = async (
  app: App,
  path: string,
  { method = 'GET', headers, body }: Partial<Recorded['answers'][number]>,
) => {
  const reply = await fetch(app.address.api + path, {
    method,
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = (await reply.text()).replaceAll(app.address.api, '{{origin}}')
  const isJson = reply.headers.get('content-type')?.includes('json')
  return { status: reply.status, text, answer: isJson ? JSON.parse(text) : null }
}

/**
 * Repeats every request. The answers may have new fields and new objects, because the recurring
 * event is overdue, and signatures of URLs and the scale of scores change.
 */
export async function expectAnswers(app: App, { answers }: Recorded) {
  for (const { path, answer, ...sent } of answers) {
    const reply = await request(app, path, sent)
    expect(reply, path).toMatchObject({ status: 200 })
    expect(unsigned(selectRecorded(reply.answer, answer)), path).toMatchObject(
      unsigned(answer),
    )
    const { url } = reply.answer.file ?? {}
    if (url)
      expect((await request(app, url.replace('{{origin}}', ''), {})).text).toMatch(
        'harbour',
      )
  }
}

/** Leaves out objects of lists that were not recorded. */
const selectRecorded = (now: Answer, recorded: Answer): Answer =>
  Object.fromEntries(
    Object.entries(now).map(([name, value]) => {
      const ids = Array.isArray(recorded[name]) ? recorded[name].map(({ id }) => id) : []
      return [
        name,
        Array.isArray(value) ? value.filter(({ id }) => ids.includes(id)) : value,
      ]
    }),
  )

const unsigned = (value: unknown) =>
  JSON.parse(
    JSON.stringify(value)
      .replaceAll(/(\{\{origin\}\}[^"?]*)\?[^"]*/g, '$1')
      .replaceAll(/"score":0\.\d+/g, '"score":"between 0 and 1"'),
  )
