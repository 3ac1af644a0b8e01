// Two server processes on one database with the same websites: only one reads a page in a refresh.
import type { ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cloneDatabase, type TestDatabase } from '../../../../test/support/database.ts'
import {
  type RunningServer,
  runServer,
  settingsOfMany,
} from '../../../../test/support/running-server.ts'
import {
  html,
  openWebsite,
  sitemap,
  type Website,
} from '../../../../test/support/website.ts'

let database: TestDatabase
let servers: RunningServer[] = []
let site: Website
/** Longer than the time after which a server looks for websites. */
const pollMs = 6_000
const names = Array.from({ length: 12 }, (_, n) => `/page-${n}`)

beforeAll(async () => {
  database = await cloneDatabase()
  site = await openWebsite()
  site.pages.set('/map', sitemap(names.map((name) => site.url + name)))
  for (const name of names) site.pages.set(name, html(name, `Text of ${name}`))
  const env = settingsOfMany(database)
  servers = [await runServer(env), await runServer(env)]
}, 90_000)
afterAll(async () => {
  await Promise.all(servers.map((server) => server.remove()))
  await database?.drop()
  await site?.close()
}, 60_000)

async function call(at: RunningServer, method: string, path: string, body?: object) {
  const { url, token, botId } = servers[0]!.credentials
  const reply = await fetch(at.credentials.url + path, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'x-bot-id': botId,
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  const answer = await reply.json()
  expect([url, reply.ok, answer.message]).toEqual([url, true, undefined])
  return answer
}

const path = '/v1/platform/knowledge-sources'

/** Waits until no source has work left, as each server sees it. */
async function ended(ids: string[]) {
  for (const id of ids)
    for (const server of servers)
      await expect
        .poll(async () => (await call(server, 'GET', `${path}/${id}`)).source.status, {
          timeout: 60_000,
        })
        .toBe('completed')
}

/** How often each page of the website was requested since the last call. */
function counts() {
  const found: Record<string, number> = {}
  for (const { path } of site.requests.splice(0))
    if (path !== '/robots.txt') found[path] = (found[path] ?? 0) + 1
  return found
}

test('reads each page once in a refresh that both servers begin', {
  timeout: 180_000,
}, async () => {
  const [one, other] = servers as [RunningServer, RunningServer]
  const bases = await Promise.all(
    ['First', 'Second', 'Third'].map((name) =>
      call(one, 'POST', '/v1/files/knowledge-bases', { name }),
    ),
  )
  const sources = await Promise.all(
    bases.map(({ knowledgeBase }, n) => {
      const source = {
        type: 'sitemap',
        url: `${site.url}/map`,
        knowledgeBaseId: knowledgeBase.id,
      }
      return call(servers[n % 2]!, 'POST', path, source)
    }),
  )
  const ids: string[] = sources.map(({ source }) => source.id)
  const once = Object.fromEntries(['/map', ...names].map((name) => [name, ids.length]))
  await ended(ids)
  expect(counts()).toEqual(once)
  // No refresh ends before both servers have got its request, and looked for work.
  const map = sitemap(names.map((name) => site.url + name))
  const held: ServerResponse[] = []
  const answer = (reply: ServerResponse) =>
    void reply.writeHead(200, { 'content-type': map.type }).end(map.body)
  let isHeld = true
  const send = (reply: ServerResponse) => void (isHeld ? held.push(reply) : answer(reply))
  site.pages.set('/map', { send })
  await Promise.all(
    ids.flatMap((id) =>
      [one, other].map((at) => call(at, 'POST', `${path}/${id}/refresh`, {})),
    ),
  )
  await pause(pollMs)
  isHeld = false
  held.forEach(answer)
  await ended(ids)
  expect(counts()).toEqual(once)
})
