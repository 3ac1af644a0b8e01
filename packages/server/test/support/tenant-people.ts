// The people of a tenant, with their sessions and keys.
import { randomUUID } from 'node:crypto'
import { createSession } from '../../src/core/accounts/sessions.ts'
import { createToken } from '../../src/core/accounts/tokens.ts'
import type { Scene } from './scene.ts'
import { bearing, type Headers, makeArchives, type TenantCall } from './tenants.ts'

interface Names {
  mark: string
  named: string
}

/** Makes an account with its tokens and two workspaces, and the other members of the first. */
export async function makePeople(
  { app }: Scene,
  call: TenantCall,
  { mark, named }: Names,
) {
  const { db } = app.services
  const accountId = randomUUID()
  await db
    .insertInto('account')
    .values({
      id: accountId,
      email: `${mark}@example.org`,
      name: mark,
      picture_url: `https://example.org/${mark}.png`,
      email_verified_at: new Date(),
    })
    .execute()
  const { value: token } = await createToken(db, { kind: 'pat', accountId }, mark)
  const account = bearing(token)
  const workspaces = [
    await call('POST', '/v1/admin/workspaces', account, { name: mark }),
    await call('POST', '/v1/admin/workspaces', account, { name: mark }),
  ]
  const admin = { ...account, 'x-workspace-id': workspaces[0].id }
  await call('PUT', `/v1/admin/workspaces/${workspaces[0].id}`, admin, {
    handle: named,
    about: mark,
    website: `https://example.org/${mark}`,
  })
  await call('POST', `/v1/admin/account/preferences/${named}`, account, {
    value: { mark },
  })
  const pats = [
    await call('POST', '/v1/admin/account/pats', account, { note: mark }),
    await call('POST', '/v1/admin/account/pats', account, { note: mark }),
  ]
  await call('POST', `/v1/admin/workspaces/preferences/${named}`, admin, {
    value: { mark },
  })
  const colleague = await call('POST', '/v1/admin/workspace-members', admin, {
    email: `${mark}-2@example.org`,
    role: 'developer',
  })
  const invitee = await call('POST', '/v1/admin/workspace-members', admin, {
    email: `${mark}-3@example.org`,
    role: 'viewer',
  })
  const invite = (email: string) =>
    call('POST', '/v1/platform/invitations', admin, { email, role: 'viewer' })
  return {
    token,
    things: {
      archive: await makeArchives(app.services, workspaces[0].id, accountId),
      invitation: [
        (await invite(`${mark}-4@example.org`)).invitation.id,
        (await invite(`${mark}-5@example.org`)).invitation.id,
      ],
      account: [accountId, colleague.id as string],
      invitee: [invitee.id as string],
      workspace: workspaces.map(({ id }) => id as string),
      handle: [named],
      preference: [named],
      pat: pats.map(({ pat }) => pat.id as string),
      session: [
        await makeSession(app.services, accountId),
        await makeSession(app.services, accountId),
      ],
    },
  }
}

async function makeSession({ database }: Scene['app']['services'], accountId: string) {
  const visit = { browser: 'Test browser', address: '127.0.0.1' }
  const owner = { accountId, method: 'link' as const }
  return (await createSession(database, owner, visit, { idle: 3_600, total: 3_600 })).id
}

interface Key {
  id: string
  value: string
}

/** Makes a key of each bot, a second key of the first bot, and two of the integration. */
export async function makeKeys(
  call: TenantCall,
  admin: Headers,
  {
    bots,
    integrationId,
    mark,
  }: { bots: { id: string }[]; integrationId: string; mark: string },
) {
  const keys: { bot: Key[]; integration: Key[] } = { bot: [], integration: [] }
  for (const { id } of [...bots, bots[0]!])
    keys.bot.push(
      await call('POST', '/v1/admin/bots/baks', admin, { botId: id, note: mark }),
    )
  for (let i = 0; i < 2; i++)
    keys.integration.push(
      await call('POST', '/v1/admin/integrations/iaks', admin, {
        integrationId,
        note: mark,
      }),
    )
  return keys
}

export async function makeLeaver({ app }: Scene, mark: string): Promise<string> {
  const { db } = app.services
  const id = randomUUID()
  await db
    .insertInto('account')
    .values({ id, email: `${mark}-leaver@example.org`, name: null, picture_url: null })
    .execute()
  return (await createToken(db, { kind: 'pat', accountId: id }, mark)).value
}
