// The service account, with the key for access tokens
// (https://developers.google.com/identity/protocols/oauth2/service-account#httprest).
import { importPKCS8, SignJWT } from 'jose'
import {
  ChannelError,
  type Configuration,
  type Context,
  type ProviderResponse,
} from '../channel.ts'
import { readRetryAfter, toJson } from '../provider-calls.ts'
import { AccessTokens } from '../tokens/access-tokens.ts'

const scope = 'https://www.googleapis.com/auth/chat.bot'
const defaultTokenUrl = 'https://oauth2.googleapis.com/token'

const wrong = (message: string) => new ChannelError('credentials', message)
const howToGetKey =
  'Make a key at console.cloud.google.com: IAM & Admin, Service Accounts, your account, Keys, ' +
  'Add key, Create new key, JSON; and paste the whole file.'

interface ServiceAccount {
  email: string
  privateKey: string
  keyId: string | undefined
  tokenUrl: string
}

/** Throws ChannelError ("credentials"), without parts of the key. */
function readServiceAccount({
  configuration,
}: Pick<Context, 'configuration'>): ServiceAccount {
  const read = parse(String(configuration.serviceAccountKey))
  if (!read)
    throw wrong(`The key of the service account is not the JSON file. ${howToGetKey}`)
  const { client_email, private_key, private_key_id, token_uri } = read
  if (typeof client_email !== 'string' || typeof private_key !== 'string')
    throw wrong(
      `The JSON file is of another kind than the key of a service account. ${howToGetKey}`,
    )
  return {
    email: client_email,
    privateKey: private_key,
    keyId: typeof private_key_id === 'string' ? private_key_id : undefined,
    tokenUrl: typeof token_uri === 'string' ? token_uri : defaultTokenUrl,
  }
}

/** Returns the address of the service account. Throws ChannelError ("credentials"). */
export const findEmail = (configuration: Configuration): string =>
  readServiceAccount({ configuration }).email

function parse(json: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'object' && value !== null
      ? (value as Record<string, unknown>)
      : null
  } catch {
    return null
  }
}

const tokens = new AccessTokens()

const toSettings = ({ email, privateKey, tokenUrl }: ServiceAccount) => [
  email,
  privateKey,
  tokenUrl,
]

/** Throws ChannelError ("credentials") if Google does not accept the key. */
export function getToken(
  context: Pick<Context, 'configuration' | 'request'>,
): Promise<string> {
  const account = readServiceAccount(context)
  return tokens.get(toSettings(account), async () => {
    const response = await context.request(account.tokenUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
        assertion: await signAssertion(account),
      }).toString(),
    })
    const { access_token, expires_in } = toJson(response)
    if (response.status === 200 && typeof access_token === 'string')
      return { token: access_token, expiresInSeconds: Number(expires_in) || 0 }
    throw toTokenError(response)
  })
}

export const invalidateToken = (context: Pick<Context, 'configuration'>) =>
  tokens.invalidate(toSettings(readServiceAccount(context)))

async function signAssertion({ email, privateKey, keyId, tokenUrl }: ServiceAccount) {
  const key = await importPKCS8(privateKey, 'RS256').catch(() => {
    throw wrong(`The private key in the JSON file is damaged. ${howToGetKey}`)
  })
  return new SignJWT({ scope })
    .setProtectedHeader({ alg: 'RS256', ...(keyId && { kid: keyId }) })
    .setIssuer(email)
    .setAudience(tokenUrl)
    .setIssuedAt()
    .setExpirationTime('1h')
    .sign(key)
}

const explanations: [RegExp, string][] = [
  [
    /signature|invalid_client/i,
    `Google does not know this key: it was deleted. ${howToGetKey}`,
  ],
  [
    /account not found|disabled|invalid_grant: invalid grant/i,
    `The service account was deleted or disabled. ${howToGetKey}`,
  ],
  [/short-lived|timeframe|iat|exp/i, 'The clock of this server is wrong: set it.'],
]

function toTokenError(response: ProviderResponse): ChannelError {
  const { status, headers } = response
  if (status === 429)
    return new ChannelError('limited', 'Google: too many calls', readRetryAfter(headers))
  if (status >= 500)
    return new ChannelError(
      'unavailable',
      `The login of Google failed with status ${status}`,
    )
  const { error, error_description } = toJson(response)
  const said = [error, error_description].filter(Boolean).join(': ').slice(0, 300)
  const found = explanations.find(([pattern]) => pattern.test(said))?.[1]
  return wrong(
    `${found ?? `Google does not accept the key. ${howToGetKey}`} (Google: ${said})`,
  )
}
