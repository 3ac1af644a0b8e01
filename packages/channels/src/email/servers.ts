// Connections to mail servers: at the address that the workspace may reach, with the name of the server for
// TLS.
import { isIP } from 'node:net'
import { ImapFlow } from 'imapflow'
import { createTransport } from 'nodemailer'
import { ChannelError, type Configuration, type Context } from '../channel.ts'

type Surroundings = Pick<Context, 'configuration' | 'resolve' | 'signal'>

interface Server {
  kind: 'IMAP' | 'SMTP'
  host: string
  port: number
  security: string
}

function toServer(configuration: Configuration, kind: Server['kind']): Server {
  const name = kind.toLowerCase()
  const port = Number(configuration[`${name}Port`] ?? (kind === 'IMAP' ? 993 : 587))
  const byPort = port === 993 || port === 465 ? 'tls' : 'starttls'
  const security = String(configuration[`${name}Security`] ?? byPort)
  return { kind, host: String(configuration[`${name}Host`]).trim(), port, security }
}

const toLogin = ({ user, password }: Configuration) => ({
  user: String(user),
  pass: String(password),
})

/** Connects and signs in; the caller closes. Throws ChannelError. */
export async function openImap({
  configuration,
  resolve,
  signal,
}: Surroundings): Promise<ImapFlow> {
  const server = toServer(configuration, 'IMAP')
  const { host, port, security } = server
  const client = new ImapFlow({
    host: await resolve(host),
    ...(!isIP(host) && { servername: host }),
    port,
    secure: security === 'tls',
    ...(security !== 'tls' && { doSTARTTLS: security === 'starttls' }),
    auth: toLogin(configuration),
    logger: false,
    disableAutoIdle: true,
    maxIdleTime: 240_000,
    connectionTimeout: 15_000,
    greetingTimeout: 15_000,
  })
  // Commands and the end of the connection report the same.
  client.on('error', () => {})
  const close = () => client.close()
  signal.addEventListener('abort', close, { once: true })
  client.once('close', () => signal.removeEventListener('abort', close))
  try {
    await client.connect()
    return client
  } catch (error) {
    client.close()
    throw toError(server, error)
  }
}

/** Connects for one use. Throws ChannelError. */
export async function withSmtp<Result>(
  { configuration, resolve }: Surroundings,
  use: (transport: ReturnType<typeof createTransport>) => Promise<Result>,
): Promise<Result> {
  const server = toServer(configuration, 'SMTP')
  const { host, port, security } = server
  const transport = createTransport({
    host: await resolve(host),
    port,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    ...(!isIP(host) && { tls: { servername: host } }),
    auth: toLogin(configuration),
    connectionTimeout: 15_000,
    greetingTimeout: 15_000,
    socketTimeout: 60_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  try {
    return await use(transport)
  } catch (error) {
    throw toError(server, error)
  } finally {
    transport.close()
  }
}

interface Failure {
  message?: string
  code?: string
  /** Of imapflow. */
  authenticationFailed?: boolean
  responseText?: string
  /** Of nodemailer. */
  responseCode?: number
  response?: string
}

/** Returns what the failure of a server means, and the remedy. */
function toError({ kind, host, port, security }: Server, error: unknown): ChannelError {
  if (error instanceof ChannelError) return error
  const failure = error as Failure
  const { code = '', message = '', responseCode = 0 } = failure
  const said = (failure.response ?? failure.responseText ?? message).slice(0, 500)
  const at = `The ${kind} server "${host}:${port}"`
  if (failure.authenticationFailed || code === 'EAUTH')
    return new ChannelError(
      'credentials',
      `${at} does not accept the user and password (${said}). Gmail, iCloud and Yahoo need an app ` +
        `password; ` +
        `others let you switch on ${kind} for the mailbox first.`,
    )
  if (/SSL|wrong version|ERR_TLS|ETLS|CERT|certificate|STARTTLS/i.test(`${code} ${message}`))
    return new ChannelError(
      'rejected',
      `${at} offers no valid encryption by "${security}" (${said}). Mostly IMAP is "tls" at 993, ` +
        `SMTP "tls" at 465 or ` +
        '"starttls" at 587; the name must be that of the certificate.',
    )
  if (responseCode >= 500) return new ChannelError('rejected', `${at} rejects the e-mail: ${said}`)
  if (responseCode >= 400)
    return new ChannelError('unavailable', `${at} admits no e-mail now: ${said}`)
  return new ChannelError(
    'unavailable',
    `${at} does not answer (${code || said}). Check its name and port, and whether this server may reach it.`,
  )
}
