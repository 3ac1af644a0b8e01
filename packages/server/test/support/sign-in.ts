// Signs in as a browser does, and keeps the cookie.
import { randomUUID } from 'node:crypto'
import type { LightMyRequestResponse } from 'fastify'
import type { App } from '../../src/app/app.ts'
import { createSignInLink } from '../../src/features/sign-in/sign-in-links.ts'
import type { Scene } from './scene.ts'

export const sessionHeaders = { 'x-botstead-session': '1' }

export interface TestBrowser {
  cookie: string
  /** The `set-cookie` header of the last response that had one. */
  setCookie: string
  call(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    url: string,
    options?: { headers?: Record<string, string>; body?: unknown; cookie?: string },
    // biome-ignore lint/suspicious/noExplicitAny: the contract check covers its shape; tests assert on fields
  ): Promise<{ status: number; body: any }>
}

export function openTestBrowser(
  { server }: Pick<App, 'server'>,
  remoteAddress = '127.0.0.1',
): TestBrowser {
  const browser: TestBrowser = {
    cookie: '',
    setCookie: '',
    async call(method, url, { headers = {}, body, cookie = browser.cookie } = {}) {
      const reply = await server.inject({
        method,
        url,
        remoteAddress,
        headers: {
          ...sessionHeaders,
          'user-agent': 'Test browser',
          ...(cookie && { cookie }),
          ...headers,
        },
        ...(body !== undefined && { payload: body as never }),
      })
      keepCookie(browser, reply)
      return { status: reply.statusCode, body: reply.json() }
    },
  }
  return browser
}

function keepCookie(browser: TestBrowser, { headers }: LightMyRequestResponse) {
  const set = [headers['set-cookie'] ?? []]
    .flat()
    .find((text) => sessionCookie.test(text))
  if (set === undefined) return
  browser.setCookie = set
  browser.cookie = set.split(';')[0]!
}

const sessionCookie = /^(__Host-)?botstead-session/

/** Signs in with a one-time link. */
export async function signIn(app: App, accountId: string): Promise<TestBrowser> {
  const browser = openTestBrowser(app)
  const code = await createSignInLink(app.services.db, accountId, 15)
  const { status } = await browser.call('POST', '/v1/platform/sign-in/link', {
    body: { code },
  })
  if (status !== 200) throw new Error(`signing in failed with ${status}`)
  return browser
}

/** Creates an account; with a role, as a member of the scene's workspace. */
export async function createPerson(
  { app, workspaceId }: Scene,
  role?: string,
): Promise<string> {
  const id = randomUUID()
  const { db } = app.services
  await db
    .insertInto('account')
    .values({ id, email: `${id}@example.org` })
    .execute()
  if (role)
    await db
      .insertInto('workspace_member')
      .values({ workspace_id: workspaceId, account_id: id, role: role as 'owner' })
      .execute()
  return id
}

/**
 * Signs in again and again, in parallel, until the returned function is called, which returns the number of
 * answers by their status.
 */
export function floodSignIns(
  parallel: number,
  signIn: () => Promise<{ status: number }>,
) {
  const counts = new Map<number, number>()
  let isOver = false
  const loop = async () => {
    while (!isOver) {
      const { status } = await signIn()
      counts.set(status, (counts.get(status) ?? 0) + 1)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }
  const loops = Promise.all(Array.from({ length: parallel }, loop))
  return async () => {
    isOver = true
    await loops
    return counts
  }
}
