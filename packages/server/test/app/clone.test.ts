// The commands with which people start and change a clone.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import {
  type Clone,
  copyClone,
  measureSlowdown,
  type RunningCommand,
} from '../support/clone.ts'

let clone: Clone
const limitMs = 300_000
afterEach(() => clone.remove(), limitMs)

const credentials = () =>
  JSON.parse(readFileSync(join(clone.folder, 'data/credentials.json'), 'utf8')) as {
    url: string
    token: string
  }

/** Without a terminal, as with one, nothing is a line of JSON, and the command is never silent for long. */
function expectFriendly(command: RunningCommand) {
  const lines = command.output().split('\n')
  expect(lines.filter((line) => line.trim().startsWith('{'))).toEqual([])
  // Lines come every 2.5 seconds; a busy machine delays them, and the computations between them.
  expect(command.longestSilence()).toBeLessThan(3_000 * 2 * measureSlowdown())
}

/** Calls a handler, repeatedly while the server is being replaced. */
async function callUntil(path: string, isExpected: (body: string) => boolean) {
  for (let body = ''; ; await pause(50)) {
    const { url, token } = credentials()
    const reply = await fetch(`${url}${path}`, {
      headers: { authorization: `Bearer ${token}` },
    }).catch(() => null)
    body = reply?.ok ? await reply.text() : ''
    if (isExpected(body)) return body
  }
}

describe('npm start', () => {
  test('answers before the pages are built, which say so, or name the error of their build', {
    timeout: limitMs,
  }, async () => {
    clone = copyClone()
    clone.edit(
      'packages/server/src/core/installation/version.ts',
      (text) => `${text}\n// changed\n`,
    )
    clone.edit(
      'docs/.vitepress/config.ts',
      (text) => `${text}\nthrow new Error('no <site> today')\n`,
    )
    const command = clone.run('scripts/start.js')
    await command.untilPrinted('Press Ctrl+C to stop.')
    expect(command.output()).toMatch(/Bundling .*server.* …/)
    expect(command.output()).toMatch(/Bundled what changed in [\d.]+ s/)

    const { url } = credentials()
    const building = await fetch(`${url}/`)
    expect(building.status).toBe(503)
    const page = await building.text()
    expect(page).toContain('Building the dashboard …')
    expect(page).toContain('location.reload()')

    await command.untilPrinted('The build of the documentation failed:')
    const failed = await fetch(`${url}/docs/`)
    expect(failed.status).toBe(503)
    const text = await failed.text()
    expect(text).toContain('The build of the documentation failed')
    expect(text).toContain('no &#60;site&#62; today')
    expect(command.output()).toContain('no <site> today')

    await command.untilPrinted('The dashboard is ready')
    const dashboard = await fetch(`${url}/`)
    expect(dashboard.status).toBe(200)
    const [asset] = /\/assets\/[\w.-]+\.js/.exec(await dashboard.text())!
    expect((await fetch(`${url}${asset}`)).status).toBe(200)
    expectFriendly(command)
    expect(await command.interrupt()).toBe(0)
  })

  test('leaves nothing of an interrupted build of the pages', {
    timeout: limitMs,
  }, async () => {
    clone = copyClone()
    const command = clone.run('scripts/start.js')
    await command.untilPrinted('Building the dashboard')
    expect(await command.interrupt()).toBe(0)
    expect(command.output()).not.toContain('failed')
    const again = clone.run('scripts/start.js')
    await again.untilPrinted('Building the dashboard')
    expect((await fetch(`${credentials().url}/`)).status).toBe(503)
    expect(await again.interrupt()).toBe(0)
  })
})

describe('npm run dev', () => {
  const handler = 'packages/server/src/core/accounts/api/admin/account.ts'
  const answer =
    'return { account: toAccount(await findAccount(services.db, caller.accountId)) }'
  const changed = answer
    .replace('toAccount(', '{ ...toAccount(')
    .replace(' }', ", displayName: 'Changed' } }")

  test('applies a change of a handler, and keeps the last good version after an error', {
    timeout: limitMs,
  }, async () => {
    clone = copyClone()
    const command = clone.run('scripts/dev/dev.js')
    await command.untilPrinted('Watching the packages')
    const database = () =>
      readFileSync(
        join(clone.folder, 'data/postgres/cluster/postmaster.pid'),
        'utf8',
      ).split('\n')[0]
    const before = database()

    clone.edit(handler, (text) => text.replace(answer, changed))
    await callUntil('/v1/admin/account/me', (body) =>
      body.includes('"displayName":"Changed"'),
    )
    await command.untilPrinted('The server runs the change.')
    expect(database()).toBe(before)

    clone.edit(handler, (text) => text.replace(changed, `return {{ ${changed}`))
    await command.untilPrinted('The last good version keeps running.')
    expect(command.output()).toContain(`${handler}:`)
    await callUntil('/v1/admin/account/me', (body) =>
      body.includes('"displayName":"Changed"'),
    )

    clone.edit(
      handler,
      (text) =>
        `throw new Error('cannot load')\n${text.replace(`return {{ ${changed}`, answer)}`,
    )
    await command.untilPrinted('The changed code does not load')
    await callUntil('/v1/admin/account/me', (body) =>
      body.includes('"displayName":"Changed"'),
    )

    clone.edit(handler, (text) => text.replace("throw new Error('cannot load')\n", ''))
    await callUntil(
      '/v1/admin/account/me',
      (body) => body !== '' && !body.includes('"Changed"'),
    )
    expect(database()).toBe(before)
    expectFriendly(command)
    expect(await command.interrupt()).toBe(0)
  })
})

test.each([
  ['start', 'Botstead is running.'],
  ['dev', 'Watching the packages'],
] as const)(
  '`npm run %s` ends with its server when npm alone gets a signal',
  async (name, text) => {
    clone = copyClone()
    const command = clone.runNpm(name)
    await command.untilPrinted(text)
    const { url } = credentials()
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
    await command.interruptFirst()
    await expect.poll(() => fetch(url).catch(() => null)).toBeNull()
    const postmaster = join(clone.folder, 'data/postgres/cluster/postmaster.pid')
    await expect.poll(() => existsSync(postmaster)).toBe(false)
  },
  limitMs,
)
