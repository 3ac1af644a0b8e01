// `botstead login`, `logout` and `profiles`: signs in to servers and stores their tokens.
import { hostname } from 'node:os'
import { text } from 'node:stream/consumers'
import { RequestError } from '@botstead/client'
import type { ErrorReply } from '@botstead/contract'
import { CliError, toMessage, UsageError } from '../failure.ts'
import { readCredentials } from '../server/credentials.ts'
import {
  findProfile,
  local,
  type Profile,
  type Profiles,
  profilesFile,
  readProfiles,
  writeProfiles,
} from '../server/profiles.ts'
import { openClient } from '../server/server-client.ts'
import { type ListPrinting, printDone, printList } from '../terminal/printing.ts'
import { askSecret } from '../terminal/prompt.ts'

interface LoginOptions {
  profile?: string
  account?: string
  token?: string
  workspace?: string
  bot?: string
  json?: boolean
}
type Credential = Pick<Profile, 'token' | 'tokenId'>

export async function login(
  address: string | undefined,
  options: LoginOptions,
): Promise<void> {
  const { url, code } = toTarget(address)
  const name = options.profile ?? new URL(url).host.replace(':', '-')
  if (!/^[\w.-]+$/.test(name) || name === local)
    throw new UsageError(
      `--profile must be a name of letters, digits, dots and dashes, not "${name}"`,
    )
  const credential = await findCredential(url, code, options)
  const { email, workspaceId } = await check(url, credential.token, options.workspace)
  const { bot: botId } = options
  const profile = {
    url,
    ...credential,
    workspaceId,
    ...(botId !== undefined && { botId }),
  }
  const stored = readProfiles()
  // On the machine of a server, commands without --server keep calling this server.
  const isUsed = stored.current !== undefined || readCredentials() === null
  writeProfiles({
    ...(isUsed && { current: name }),
    profiles: { ...stored.profiles, [name]: profile },
  })
  const use = isUsed
    ? 'in use now'
    : `pass "--server ${name}", or run "profiles use ${name}"`
  printDone(
    `Signed in to ${url} as ${email}; profile "${name}", ${use}`,
    { profile: name, url, workspaceId, isUsed, file: profilesFile() },
    options,
  )
}

/** A sign-in link contains a code that works once. */
function toTarget(address: string | undefined): { url: string; code: string | null } {
  if (address === undefined || !/^https?:\/\//.test(address) || !URL.canParse(address))
    throw new UsageError(
      'pass the URL of the server or a sign-in link, such as "login https://bots.example.org"',
    )
  const { href, hash } = new URL(address)
  const code = new URLSearchParams(hash.slice(1)).get('link')
  const url = href.replace(/#.*$/, '').replace(/\/+$/, '')
  return { url: code === null ? url : url.replace(/\/sign-in$/, ''), code }
}

async function findCredential(
  url: string,
  code: string | null,
  { account, token }: LoginOptions,
): Promise<Credential> {
  if (code !== null) return createToken(url, await openSession(url, 'link', { code }))
  if (account !== undefined)
    return createToken(url, await signInWithPassword(url, account))
  const given =
    token ??
    (process.stdin.isTTY ? await pasted(url) : (await text(process.stdin)).trim())
  if (given === '')
    throw new UsageError('no token: pass --token, or the token on standard input')
  return { token: given }
}

function pasted(url: string): Promise<string> {
  process.stderr.write(`Create a token in the browser: ${url}/tokens\n`)
  return askSecret('Paste it here (it is not shown): ')
}

const sessionHeaders = { 'content-type': 'application/json', 'x-botstead-session': '1' }

async function signInWithPassword(url: string, email: string): Promise<string> {
  const password = await askSecret(`Password of ${email}: `)
  const cookie = await openSession(url, 'password', { email, password }).catch(
    (error) => {
      if (error instanceof NeedsCode) return null
      throw error
    },
  )
  if (cookie !== null) return cookie
  const code = await askSecret('Code of your authenticator: ')
  return openSession(url, 'password', { email, password, code })
}

class NeedsCode extends CliError {}

/** Returns the cookie of a new session, with which a token can be created. */
async function openSession(
  url: string,
  method: 'link' | 'password',
  body: object,
): Promise<string> {
  const response = await send(`${url}/v1/platform/sign-in/${method}`, {
    method: 'POST',
    headers: sessionHeaders,
    body: JSON.stringify(body),
  })
  if (((await response.json()) as { needsCode?: boolean }).needsCode)
    throw new NeedsCode()
  return response.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ')
}

/** Ends the session afterwards. */
async function createToken(url: string, cookie: string): Promise<Credential> {
  const headers = { ...sessionHeaders, cookie }
  const body = JSON.stringify({ note: `botstead on ${hostname()}` })
  const created = await send(`${url}/v1/admin/account/pats`, {
    method: 'POST',
    headers,
    body,
  })
  const { pat } = (await created.json()) as { pat: { id: string; value: string } }
  await send(`${url}/v1/platform/session`, {
    method: 'DELETE',
    headers,
    body: '{}',
  }).catch(() => {})
  return { token: pat.value, tokenId: pat.id }
}

async function send(url: string, request: RequestInit): Promise<Response> {
  const signal = AbortSignal.timeout(30_000)
  const response = await fetch(url, { ...request, signal }).catch(() => {
    throw new CliError(`no response from ${new URL(url).origin}; check the URL`)
  })
  if (response.ok) return response
  throw new RequestError(
    response,
    (await response.json().catch(() => null)) as ErrorReply | null,
  )
}

/** Checks the token, and finds the workspace of commands without `--workspace`. */
async function check(url: string, token: string, wanted: string | undefined) {
  const { admin } = openClient(url, { authorization: `Bearer ${token}` })
  const { account } = await admin.getAccount()
  const { workspaces } = await admin.listWorkspaces({ query: { pageSize: 1000 } })
  const found =
    wanted === undefined ? workspaces[0] : workspaces.find(({ id }) => id === wanted)
  if (!found)
    throw new CliError(
      wanted === undefined
        ? `${account.email} is a member of no workspace of ${url}`
        : `${account.email} is not a member of the workspace ${wanted}`,
    )
  if (wanted === undefined && workspaces.length > 1)
    process.stderr.write(
      `${workspaces.length} workspaces; the profile has "${found.name}" (--workspace <id> chooses)\n`,
    )
  return { email: account.email, workspaceId: found.id }
}

export async function logout(
  given: string | undefined,
  options: { json?: boolean },
): Promise<void> {
  const stored = readProfiles()
  const name = given ?? stored.current
  if (name === undefined)
    throw new UsageError('no profile is in use: pass the name of one')
  const { url, token, tokenId } = findProfile(stored, name)
  if (tokenId !== undefined)
    await openClient(url, { authorization: `Bearer ${token}` })
      .admin.deletePersonalAccessToken({ params: { id: tokenId } })
      .catch((error) =>
        process.stderr.write(
          `The token ${tokenId} was not revoked: ${toMessage(error)}\n`,
        ),
      )
  const { [name]: _, ...profiles } = stored.profiles
  const rest: Profiles = { profiles }
  if (stored.current !== undefined && stored.current !== name)
    rest.current = stored.current
  writeProfiles(rest)
  printDone(`Signed out of ${url}`, { profile: name, url }, options)
}

export async function listProfiles(options: ListPrinting): Promise<void> {
  const { current, profiles } = readProfiles()
  const rows = Object.entries(profiles).map(([name, { url, workspaceId, botId }]) => ({
    name,
    url,
    workspaceId,
    botId,
    isUsed: name === current,
  }))
  await printList(
    rows,
    {
      columns: {
        name: ({ name, isUsed }) => (isUsed ? `${name}*` : name),
        workspace: ({ workspaceId }) => workspaceId,
        url: ({ url }) => url,
      },
    },
    options,
  )
}

export async function useProfile(
  name: string,
  options: { json?: boolean },
): Promise<void> {
  const stored = readProfiles()
  if (name === local) writeProfiles({ profiles: stored.profiles })
  else {
    findProfile(stored, name)
    writeProfiles({ ...stored, current: name })
  }
  if (process.env.BOTSTEAD_DATA && name !== local)
    process.stderr.write('BOTSTEAD_DATA is set: it precedes the profile in use.\n')
  printDone(`Commands without --server use ${name}`, { current: name }, options)
}
