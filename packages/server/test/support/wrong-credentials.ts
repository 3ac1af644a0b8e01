// Wrong credentials for each kind of access: missing, malformed, revoked, and valid ones of other
// tenants.
import { randomUUID } from 'node:crypto'
import {
  type Access,
  namesBot,
  namesWorkspace,
  type Role,
  roles,
} from '@botstead/contract'
import { SignJWT } from 'jose'
import { createTokenValue } from '../../src/core/accounts/token-format.ts'
import { createToken } from '../../src/core/accounts/tokens.ts'
import { newId } from '../../src/core/lib/ids.ts'
import type { Scene } from './scene.ts'
import { getProperties, type ServedOperation } from './served-operations.ts'
import { asAdmin, bearing, type Headers, type Tenant } from './tenants.ts'

export interface WrongCredential {
  name: string
  headers: Headers
  query?: Record<string, string>
  params?: Record<string, string>
  /** A required header is missing, so the response may be 400. */
  missing?: boolean
}

export interface CredentialSet {
  victim: Tenant
  stranger: Tenant
  revoked: string
  expired: string
  /** Tokens of members of the victim's workspace, by role. */
  members: Record<Role, string>
  /** Of an integration of the victim that is not installed. */
  uninstalledKey: string
  /** Forged user keys that name the victim's user. */
  userKeys: Record<string, string>
}

export async function makeWrongCredentials(
  scene: Scene,
  victim: Tenant,
  stranger: Tenant,
): Promise<CredentialSet> {
  const { db } = scene.app.services
  const [accountId] = victim.things.account
  const revoked = (
    await scene.call('POST', '/v1/admin/account/pats', {
      headers: bearing(victim.token),
      body: { note: '' },
    })
  ).body.pat
  // The server has cached it as valid before it is revoked.
  await scene.call('GET', '/v1/admin/bots', {
    headers: { ...asAdmin(victim), ...bearing(revoked.value) },
  })
  await scene.call('DELETE', `/v1/admin/account/pats/${revoked.id}`, {
    headers: bearing(victim.token),
  })
  const expired = await createToken(db, { kind: 'pat', accountId: accountId! }, '')
  await db
    .updateTable('token')
    .set({ expires_at: new Date(Date.now() - 1_000) })
    .where('id', '=', expired.id)
    .execute()
  return {
    victim,
    stranger,
    revoked: revoked.value,
    expired: expired.value,
    members: await makeMembers(scene, victim),
    uninstalledKey: await makeUninstalledKey(scene, victim),
    userKeys: await makeUserKeys(scene, victim, stranger),
  }
}

/** Creates one member for each role in all workspaces of the tenant. */
export async function makeMembers(
  { app }: Scene,
  { things }: Tenant,
): Promise<Record<Role, string>> {
  const { db } = app.services
  const tokens = roles.map(async (role) => {
    const id = randomUUID()
    await db
      .insertInto('account')
      .values({ id, email: `${role}-${id}@example.org`, name: null, picture_url: null })
      .execute()
    const memberships = things.workspace.map((workspace_id) => ({
      workspace_id,
      account_id: id,
      role,
    }))
    await db.insertInto('workspace_member').values(memberships).execute()
    return [role, (await createToken(db, { kind: 'pat', accountId: id }, '')).value]
  })
  return Object.fromEntries(await Promise.all(tokens))
}

async function makeUninstalledKey({ app }: Scene, { things }: Tenant): Promise<string> {
  const { db } = app.services
  const id = newId('integration')
  await db
    .insertInto('integration')
    .values({
      id,
      workspace_id: things.workspace[0]!,
      name: 'uninstalled',
      version: '1.0.0',
    })
    .execute()
  return (await createToken(db, { kind: 'iak', integrationId: id }, '')).value
}

/**
 * Keys that name the victim's user. Keys of other chats are created with the same chosen id there.
 */
async function makeUserKeys(
  { call, chatKey }: Scene,
  victim: Tenant,
  stranger: Tenant,
): Promise<Record<string, string>> {
  const id = victim.things.chosenUser[0]!
  const elsewhere = async (webhookId: string) =>
    (await call('POST', `/chat/${webhookId}/users`, { body: { id } })).body.key as string
  const signed = (
    payload: Record<string, unknown>,
    { key = chatKey, alg = 'HS256' } = {},
  ) =>
    new SignJWT(payload).setProtectedHeader({ alg }).sign(new TextEncoder().encode(key))
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const [header, , signature] = victim.userKey.split('.') as [string, string, string]
  return {
    "of the stranger's chat": await elsewhere(stranger.things.webhook[0]!),
    "of the same people's other bot": await elsewhere(victim.things.webhook[1]!),
    'signed by somebody else': await signed({ id }, { key: 'x'.repeat(64) }),
    'signed with an empty key': `${part({ alg: 'HS256' })}.${part({ id })}.`,
    'without an algorithm': `${part({ alg: 'none' })}.${part({ id })}.`,
    'with another algorithm': await signed({ id }, { alg: 'HS512' }),
    'that has expired': await signed({ id, exp: 1 }),
    'that is not valid yet': await signed({ id, nbf: 4_000_000_000 }),
    'that names nobody': await signed({}),
    'that names several': await signed({ id: [id] }),
    'with another claim under the same signature': `${header}.${part({ id: stranger.things.chosenUser[0] })}.${signature}`,
    'cut short': victim.userKey.slice(0, -1),
    garbage: 'garbage',
    empty: '',
  }
}

export const wrongCredentials: Record<
  Access,
  (
    operation: ServedOperation,
    right: Headers,
    credentials: CredentialSet,
  ) => WrongCredential[]
> = {
  public: () => [],
  token: (operation, right, given) => [
    ...notTokens(right, given),
    ...('botId' in getProperties(operation, 'body') ? notOfThisBot(right, given) : []),
  ],
  account: (_operation, right, given) => [
    ...notTokens(right, given),
    ...notAccounts(right, given),
  ],
  workspace: (operation, right, given) => [
    ...notTokens(right, given),
    ...notAccounts(right, given),
    ...notOfThisWorkspace(operation, right, given),
  ],
  bot: (operation, right, given) => [
    ...notTokens(right, given),
    ...notOfThisBot(right, given),
    ...notInThisBot(operation, right, given),
  ],
  chat: (_operation, right, given) => notChats(right, given),
  chatUser: (_operation, right, given) => [
    ...notChats(right, given),
    ...notUserKeys(given),
  ],
}

const withToken = (right: Headers, tokens: Record<string, string>): WrongCredential[] =>
  Object.entries(tokens).map(([name, token]) => ({
    name,
    headers: { ...right, ...bearing(token) },
  }))

const without = (headers: Headers, ...names: string[]) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)))

/** Malformed, revoked and expired tokens. */
function notTokens(
  right: Headers,
  { victim, revoked, expired }: CredentialSet,
): WrongCredential[] {
  const { token, userKey, things } = victim
  const last = token.at(-1) === 'A' ? 'B' : 'A'
  const nothing = without(right, 'authorization')
  return [
    { name: 'none', headers: nothing },
    { name: 'the token alone', headers: { ...right, authorization: token } },
    {
      name: 'another scheme',
      headers: {
        ...right,
        authorization: `Basic ${Buffer.from(`:${token}`).toString('base64')}`,
      },
    },
    {
      name: 'another header',
      headers: {
        ...nothing,
        'x-api-key': token,
        'proxy-authorization': `Bearer ${token}`,
        cookie: `token=${token}`,
      },
    },
    {
      name: 'a token in the query',
      headers: nothing,
      query: { token, access_token: token, authorization: `Bearer ${token}` },
    },
    { name: 'a user key', headers: { ...nothing, 'x-user-key': userKey } },
    ...withToken(right, {
      'an empty one': '',
      garbage: 'garbage',
      'half a token': token.slice(0, 20),
      'an unknown token': createTokenValue('pat'),
      'an unknown bot key': createTokenValue('bak'),
      'an unknown integration key': createTokenValue('iak'),
      'a wrong checksum': token.slice(0, -1) + last,
      'another prefix': token.replace('bp_pat_', 'bp_bak_'),
      'another case': token.toLowerCase(),
      'something after it': `${token}x`,
      'two tokens': `${token} ${token}`,
      'two tokens in one': `${token},${token}`,
      'a user key for a token': userKey,
      'a webhook id for a token': things.webhook[0]!,
      revoked,
      expired,
    }),
  ]
}

/** Keys give access to the bot's data, not to administration. */
const notAccounts = (right: Headers, { victim }: CredentialSet) =>
  withToken(right, {
    "the bot's key": victim.botKeys[0]!,
    "the integration's key": victim.integrationKey,
  })

const notOfThisBot = (
  right: Headers,
  { victim, stranger, uninstalledKey }: CredentialSet,
) =>
  withToken(right, {
    "another workspace's token": stranger.token,
    'the key of another bot': victim.botKeys[1]!,
    "the key of another workspace's bot": stranger.botKeys[0]!,
    "the key of another workspace's integration": stranger.integrationKey,
    'the key of an integration that is not installed': uninstalledKey,
  })

/** If the path names the bot, the header is optional, but its value must belong to the caller. */
function notOfThisWorkspace(
  operation: ServedOperation,
  right: Headers,
  { victim, stranger }: CredentialSet,
): WrongCredential[] {
  const workspace = (id: string) => ({ ...right, 'x-workspace-id': id })
  const own = { ...workspace(stranger.things.workspace[0]!), ...bearing(stranger.token) }
  const missing = [
    { name: 'no workspace', headers: without(right, 'x-workspace-id') },
    { name: 'an empty workspace', headers: workspace('') },
    {
      name: 'a workspace in the query',
      headers: without(right, 'x-workspace-id'),
      query: { 'x-workspace-id': victim.things.workspace[0]! },
    },
  ]
  return [
    ...withToken(right, { "another workspace's token": stranger.token }),
    { name: "another's workspace", headers: workspace(stranger.things.workspace[0]!) },
    { name: 'an unknown workspace', headers: workspace(randomUUID()) },
    ...(namesWorkspace(operation)
      ? [{ name: "one's own workspace", headers: own }]
      : missing),
  ]
}

function notInThisBot(
  operation: ServedOperation,
  right: Headers,
  { victim, stranger }: CredentialSet,
): WrongCredential[] {
  const { things, botKeys } = stranger
  const isForIntegrations = right['x-integration-alias'] !== undefined
  const missing = [
    { name: 'no bot', headers: without(right, 'x-bot-id'), missing: true },
    { name: 'an empty bot', headers: { ...right, 'x-bot-id': '' }, missing: true },
  ]
  return [
    ...(namesBot(operation) ? [] : missing),
    {
      name: "another's bot, with one's own token",
      headers: { ...right, 'x-bot-id': things.bot[0]! },
    },
    {
      name: "another's bot, with one's own key",
      headers: { ...right, 'x-bot-id': victim.things.bot[0]!, ...bearing(botKeys[0]!) },
    },
    { name: 'an unknown bot', headers: { ...right, 'x-bot-id': newId('bot') } },
    {
      name: 'an integration that is not there',
      headers: { ...right, 'x-integration-alias': 'none' },
    },
    {
      name: "another's integration",
      headers: {
        ...without(right, 'x-integration-alias'),
        'x-integration-id': things.integration[0]!,
      },
    },
    {
      name: "a bot's key as an integration",
      headers: { ...right, ...bearing(victim.botKeys[0]!), 'x-integration-alias': 'tg' },
    },
    ...(isForIntegrations
      ? [
          {
            name: `no integration for ${operation.name}`,
            headers: without(right, 'x-integration-alias'),
          },
        ]
      : []),
  ]
}

const notChats = (
  right: Headers,
  { victim, stranger }: CredentialSet,
): WrongCredential[] => [
  { name: 'an unknown chat', headers: right, params: { webhookId: randomUUID() } },
  {
    name: 'an integration that is no chat',
    headers: right,
    params: { webhookId: victim.webhookOfIntegration },
  },
  {
    name: "the bot's id for a chat",
    headers: right,
    params: { webhookId: victim.things.bot[0]! },
  },
  {
    name: "a name of every object's",
    headers: right,
    params: { webhookId: '__proto__' },
  },
  // Any chat accepts the creation of a user.
  ...(Object.keys(right).length > 0
    ? [
        {
          name: "another's chat",
          headers: right,
          params: { webhookId: stranger.things.webhook[0]! },
        },
      ]
    : []),
]

function notUserKeys({ victim, stranger, userKeys }: CredentialSet): WrongCredential[] {
  const key = victim.userKey
  return [
    { name: 'no key', headers: {} },
    { name: "the owners' token", headers: bearing(victim.token) },
    { name: "the owners' token for a key", headers: { 'x-user-key': victim.token } },
    { name: 'a key as a token', headers: bearing(key) },
    { name: 'a key in the query', headers: {}, query: { 'x-user-key': key, key } },
    {
      name: 'the key of another user of another bot',
      headers: { 'x-user-key': stranger.userKey },
    },
    ...Object.entries(userKeys).map(([name, value]) => ({
      name: `a key ${name}`,
      headers: { 'x-user-key': value },
    })),
  ]
}
