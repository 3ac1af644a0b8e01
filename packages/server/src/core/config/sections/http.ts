// How clients reach the server.
import { parseTrust, type Trust } from '@botstead/lib'
import { ConfigError, parseList, readInteger, readUrl } from '../environment.ts'

export interface HttpSection {
  /** BOTSTEAD_PORT: TCP port of the server; 0 takes any free port. */
  port: number
  /**
   * BOTSTEAD_HOST [127.0.0.1]: Address to listen on. By default loopback: other machines cannot reach the
   * server.
   */
  host: string
  /**
   * BOTSTEAD_PUBLIC_URL [http://host:port]: URL at which clients reach the server. Set it if it differs from
   * the default, for example behind a proxy.
   */
  publicUrl: string | null
  /**
   * BOTSTEAD_DOMAIN [none]: Serves the Chat API also at `chat.<domain>`, the Webchat API at
   * `webchat.<domain>`, and webhooks at `webhook.<domain>`.
   */
  domain: string | null
  /**
   * BOTSTEAD_CORS_ORIGINS [none]: Comma-separated browser origins that may call the Runtime, Admin, Files and
   * Tables APIs.
   */
  corsOrigins: string[]
  /**
   * BOTSTEAD_CHAT_ORIGINS [none]: Comma-separated browser origins that may call the Chat and
   * Webchat APIs with credentials, as `@botpress/chat` does in browsers. Without credentials every
   * origin may call them, unless the integration of the bot has `allowedOrigins`.
   */
  chatOrigins: string[]
  /**
   * BOTSTEAD_TRUST_PROXY [none]: Proxies from which the server trusts X-Forwarded-For: their number, or a
   * list of addresses and networks.
   */
  trustProxy: Trust
}

export const readHttpSection = (env: NodeJS.ProcessEnv): HttpSection => ({
  port: readInteger(env, 'BOTSTEAD_PORT', 4000, 0, 65_535),
  host: env.BOTSTEAD_HOST || '127.0.0.1',
  publicUrl: readUrl(env, 'BOTSTEAD_PUBLIC_URL', ['http:', 'https:']),
  domain: env.BOTSTEAD_DOMAIN || null,
  corsOrigins: parseList(env.BOTSTEAD_CORS_ORIGINS),
  chatOrigins: parseList(env.BOTSTEAD_CHAT_ORIGINS),
  trustProxy: readTrust(env, 'BOTSTEAD_TRUST_PROXY'),
})

function readTrust(env: NodeJS.ProcessEnv, name: string): Trust {
  const parsed = parseTrust(env[name] ?? '')
  if (!parsed)
    throw new ConfigError(
      `${name} must be the number of proxies, or a list of their addresses and networks, not "${env[name]}"`,
    )
  return parsed
}
