// Sessions of people, and the OpenID Connect provider.
import { roles } from '@botstead/contract'
import { ConfigError, parseList, readInteger, readUrl } from '../environment.ts'
import type { OpenIdSettings } from '../provider-settings.ts'

export interface SignInSection {
  /** BOTSTEAD_SESSION_HOURS: How long a sign-in lasts at most. */
  sessionHours: number
  /** BOTSTEAD_SESSION_IDLE_HOURS: How long a sign-in lasts without a request. */
  sessionIdleHours: number
  /**
   * BOTSTEAD_OIDC_ISSUER [none]: URL of an OpenID Connect provider, by which people sign in. https, or http
   * on this machine.
   * BOTSTEAD_OIDC_CLIENT_ID [none]: Id of this installation at the provider; required with the URL.
   * BOTSTEAD_OIDC_CLIENT_SECRET [none]: Secret of the client, if it has one.
   * BOTSTEAD_OIDC_NAME [the provider's host]: Name of the provider on the sign-in page.
   * BOTSTEAD_OIDC_SCOPES [openid email profile]: Scopes to request, separated by spaces.
   * BOTSTEAD_OIDC_GROUPS_CLAIM [groups]: Claim with the groups of a person.
   * BOTSTEAD_OIDC_ROLES [none]: Roles of groups, for example admins=administrator,staff=viewer. The first one
   * that fits a person counts; others cannot sign in. Without it, only existing accounts sign in.
   * BOTSTEAD_OIDC_WORKSPACE [the first workspace]: Id of the workspace in which groups have roles.
   */
  openId: OpenIdSettings | null
}

export const readSignInSection = (env: NodeJS.ProcessEnv): SignInSection => ({
  sessionHours: readInteger(env, 'BOTSTEAD_SESSION_HOURS', 720, 1, 8760),
  sessionIdleHours: readInteger(env, 'BOTSTEAD_SESSION_IDLE_HOURS', 168, 1, 8760),
  openId: readOpenId(env),
})

function readOpenId(env: NodeJS.ProcessEnv): OpenIdSettings | null {
  const text = readUrl(env, 'BOTSTEAD_OIDC_ISSUER', ['http:', 'https:'])
  if (!text) return null
  const issuer = new URL(text)
  if (issuer.protocol === 'http:' && !isThisMachine(issuer))
    throw new ConfigError(
      'BOTSTEAD_OIDC_ISSUER must begin with https://, except on this machine',
    )
  if (!env.BOTSTEAD_OIDC_CLIENT_ID)
    throw new ConfigError(
      'BOTSTEAD_OIDC_ISSUER requires BOTSTEAD_OIDC_CLIENT_ID: set both',
    )
  return {
    issuer,
    clientId: env.BOTSTEAD_OIDC_CLIENT_ID,
    clientSecret: env.BOTSTEAD_OIDC_CLIENT_SECRET || null,
    name: env.BOTSTEAD_OIDC_NAME || issuer.host,
    scopes: env.BOTSTEAD_OIDC_SCOPES || 'openid email profile',
    groupsClaim: env.BOTSTEAD_OIDC_GROUPS_CLAIM || 'groups',
    roles: parseList(env.BOTSTEAD_OIDC_ROLES).map(parseGroupRole),
    workspaceId: env.BOTSTEAD_OIDC_WORKSPACE || null,
  }
}

const isThisMachine = ({ hostname }: URL) =>
  ['localhost', '[::1]'].includes(hostname) || /^127(\.\d+){3}$/.test(hostname)

function parseGroupRole(text: string): [string, string] {
  const at = text.lastIndexOf('=')
  const [group, role] = [text.slice(0, at).trim(), text.slice(at + 1).trim()]
  if (at < 1 || group === '' || !roles.some((known) => known === role))
    throw new ConfigError(
      `BOTSTEAD_OIDC_ROLES must be a list such as staff=viewer, with the roles ${roles.join(', ')}, ` +
        `not "${text}"`,
    )
  return [group, role]
}
