// A real OpenID Connect provider (oidc-provider) on loopback. Each sign-in consents; the entered
// name selects the person.
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ProviderPerson {
  email?: string
  email_verified?: boolean
  name?: string
  groups?: unknown
}

export interface OpenIdProvider {
  issuer: string
  clientId: string
  clientSecret: string
  people: Record<string, ProviderPerson>
  /** Permits this redirect URI. */
  permit(uri: string): void
  close(): Promise<void>
}

/**
 * Returns a host of this machine that is for browsers another site than 127.0.0.1, where servers of tests
 * are. Machines without /etc/hosts do not know `localhost`, those other than Linux only have 127.0.0.1.
 */
const findHost = () =>
  lookup('localhost').then(
    () => 'localhost',
    () => '127.0.0.2',
  )

export async function openProvider(): Promise<OpenIdProvider> {
  const { default: Provider } = await import('oidc-provider')
  const server: Server = createServer()
  const host = await findHost()
  server.listen(0, host)
  await once(server, 'listening')
  const issuer = `http://${host}:${(server.address() as AddressInfo).port}`
  const people: Record<string, ProviderPerson> = {}
  const client = {
    client_id: 'botstead',
    client_secret: 'a secret of the client',
    redirect_uris: [] as string[],
    token_endpoint_auth_method: 'client_secret_post',
  }
  const build = () =>
    new Provider(issuer, {
      clients: [client],
      claims: {
        openid: ['sub'],
        email: ['email', 'email_verified'],
        profile: ['name', 'groups'],
      },
      pkce: { required: () => true },
      cookies: { keys: ['a key for cookies'] },
      findAccount: (_context: unknown, id: string) => ({
        accountId: id,
        claims: () => ({ sub: id, ...people[id] }),
      }),
      loadExistingGrant: grantAll,
    })
  let handle = (_request: unknown, reply: { end(): void }) => reply.end()
  server.on('request', (request, reply) => handle(request, reply))
  return {
    issuer,
    people,
    clientId: client.client_id,
    clientSecret: client.client_secret,
    permit(uri) {
      client.redirect_uris = [uri]
      handle = build().callback()
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

// biome-ignore lint/suspicious/noExplicitAny: the package has no types
async function grantAll({ oidc }: any) {
  const { Grant } = oidc.provider
  const grant = new Grant({
    clientId: oidc.client.clientId,
    accountId: oidc.session.accountId,
  })
  grant.addOIDCScope('openid email profile')
  await grant.save()
  return grant
}

/** Signs in at the provider as a browser would. Returns the query with which it returns. */
export async function visitProvider(url: string, name: string): Promise<string> {
  const cookies = new Map<string, string>()
  const { origin } = new URL(url)
  let next = url
  let form: URLSearchParams | null = null
  for (let step = 0; step < 10; step++) {
    const reply: Response = await fetch(next, {
      redirect: 'manual',
      method: form ? 'POST' : 'GET',
      headers: {
        cookie: [...cookies].map(([key, value]) => `${key}=${value}`).join('; '),
      },
      ...(form && { body: form }),
    })
    for (const cookie of reply.headers.getSetCookie()) {
      const [, key, value] = /^([^=]+)=([^;]*)/.exec(cookie)!
      cookies.set(key!, value!)
    }
    form = null
    const location = reply.headers.get('location')
    if (location) {
      next = new URL(location, next).href
      if (!next.startsWith(origin)) return new URL(next).search
    } else {
      const action = /action="([^"]+)"/.exec(await reply.text())?.[1]
      if (!action) throw new Error(`the provider answered ${reply.status} at ${next}`)
      next = new URL(action, next).href
      form = new URLSearchParams({ prompt: 'login', login: name, password: 'any' })
    }
  }
  throw new Error('the provider did not return')
}
