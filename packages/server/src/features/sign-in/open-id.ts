// Signs people in at an OpenID Connect provider: authorization code with PKCE, state and nonce. The
// library is loaded, and the provider's metadata is read, at the first use.
import type { Configuration, IDToken } from 'openid-client'
import type { OpenIdSettings } from '../../core/config/index.ts'

/** The secrets of a started sign-in. */
export interface PendingSignIn {
  state: string
  nonce: string
  verifier: string
}

export interface OpenIdPerson {
  issuer: string
  subject: string
  /** In lower case; null unless the provider has verified it. */
  email: string | null
  name: string | null
  groups: string[]
}

export interface OpenId {
  settings: OpenIdSettings
  start(redirectUri: string): Promise<{ url: string; pending: PendingSignIn }>
  /** `url` is the redirect URI with the provider's response. Throws the library's errors. */
  finish(url: URL, pending: PendingSignIn): Promise<OpenIdPerson>
}

const timeoutSeconds = 10

const load = () => import('openid-client')

export function openOpenId(settings: OpenIdSettings): OpenId {
  let discovered: Promise<Configuration> | null = null
  const configuration = () => {
    discovered ??= discover(settings)
    // The provider may be down for a moment: read the metadata again.
    discovered.catch(() => {
      discovered = null
    })
    return discovered
  }
  return {
    settings,
    async start(redirectUri) {
      const client = await load()
      const pending = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        verifier: client.randomPKCECodeVerifier(),
      }
      const url = client.buildAuthorizationUrl(await configuration(), {
        redirect_uri: redirectUri,
        scope: settings.scopes,
        state: pending.state,
        nonce: pending.nonce,
        code_challenge_method: 'S256',
        code_challenge: await client.calculatePKCECodeChallenge(pending.verifier),
      })
      return { url: url.href, pending }
    },
    finish: async (url, pending) => finish(await configuration(), settings, url, pending),
  }
}

async function discover({ issuer, clientId, clientSecret }: OpenIdSettings) {
  const client = await load()
  const authentication = clientSecret
    ? client.ClientSecretPost(clientSecret)
    : client.None()
  return client.discovery(issuer, clientId, undefined, authentication, {
    timeout: timeoutSeconds,
    // The settings allow http for this machine only.
    execute: issuer.protocol === 'http:' ? [client.allowInsecureRequests] : [],
  })
}

async function finish(
  configuration: Configuration,
  settings: OpenIdSettings,
  url: URL,
  { state, nonce, verifier }: PendingSignIn,
): Promise<OpenIdPerson> {
  const client = await load()
  const tokens = await client.authorizationCodeGrant(configuration, url, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  })
  const claims = tokens.claims()!
  // Providers put further claims into the token or into the user info.
  const info: Partial<IDToken> = configuration.serverMetadata().userinfo_endpoint
    ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)
    : {}
  // `email_verified` is about the address beside it.
  const { email, email_verified } = claims.email === undefined ? info : claims
  return toPerson({ ...info, ...claims, email, email_verified } as IDToken, settings)
}

function toPerson(claims: IDToken, { groupsClaim }: OpenIdSettings): OpenIdPerson {
  const { iss, sub, email, email_verified, name } = claims as Record<string, unknown>
  const groups = Object.hasOwn(claims, groupsClaim) ? claims[groupsClaim] : []
  const isVerified =
    email_verified === true && typeof email === 'string' && email.length <= 254
  return {
    issuer: String(iss),
    subject: String(sub),
    email: isVerified ? email.toLowerCase() : null,
    name:
      typeof name === 'string' && name !== '' ? name.slice(0, 100).toWellFormed() : null,
    groups: [groups].flat().filter((group) => typeof group === 'string'),
  }
}
