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

/** A person waits for the check of the settings. */
const checkMs = 2_500

/**
 * Signs in to both servers at once. Throws ChannelError that names each server, with the settings to compare;
 * within 3 s, also if a server is silent.
 */
export async function checkServers(surroundings: Surroundings): Promise<void> {
  const ended = new AbortController()
  const signal = AbortSignal.any([surroundings.signal, ended.signal])
  const inside = { ...surroundings, signal }
  const limit = (kind: Server['kind'], work: Promise<unknown>) =>
    inTime(toServer(surroundings.configuration, kind), work)
  const results = await Promise.allSettled([
    limit(
      'IMAP',
      openImap(inside).then((client) => client.close()),
    ),
    limit(
      'SMTP',
      withSmtp(inside, (transport) => transport.verify()),
    ),
  ])
  ended.abort()
  const errors = results.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
  const [first] = errors
  if (first === undefined) return
  if (!errors.every((error) => error instanceof ChannelError)) throw first
  throw new ChannelError(first.kind, errors.map(({ message }) => message).join(' '))
}

/** Throws ChannelError ("unavailable") if it takes longer than `checkMs`. */
async function inTime(server: Server, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(toSilence(server)), checkMs)
  })
  // It may fail after its time.
  work.catch(() => {})
  try {
    await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

function toSilence({ kind, host, port, security }: Server): ChannelError {
  const other = kind === 'IMAP' ? [25, 465, 587, 2525] : [143, 993, 110, 995]
  const hint = other.includes(port)
    ? `${port} is mostly a port of ${kind === 'IMAP' ? 'SMTP' : 'IMAP'}. `
    : ''
  return new ChannelError(
    'unavailable',
    `The ${kind} server "${host}:${port}" does not answer with the encryption "${security}". ` +
      `${hint}Compare "${kind} server", "Port of the ${kind} server" and "Encryption of ${kind}": ` +
      `${usual[kind]}.`,
  )
}

const usual = {
  IMAP: 'mostly "tls" at 993',
  SMTP: 'mostly "tls" at 465 or "starttls" at 587',
}

/** Throws ChannelError, which names the setting. */
const findAddress = (resolve: Surroundings['resolve'], { kind, host }: Server) =>
  resolve(host).catch((error) => {
    if (!(error instanceof ChannelError)) throw error
    throw new ChannelError(error.kind, `Compare "${kind} server": ${error.message}`)
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
    host: await findAddress(resolve, server),
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
  { configuration, resolve, signal }: Surroundings,
  use: (transport: ReturnType<typeof createTransport>) => Promise<Result>,
): Promise<Result> {
  const server = toServer(configuration, 'SMTP')
  const { host, port, security } = server
  const transport = createTransport({
    host: await findAddress(resolve, server),
    port,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    ...(!isIP(host) && { tls: { servername: host } }),
    ...(configuration.user !== undefined && { auth: toLogin(configuration) }),
    connectionTimeout: 15_000,
    greetingTimeout: 15_000,
    socketTimeout: 60_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const close = () => transport.close()
  signal.addEventListener('abort', close, { once: true })
  try {
    return await use(transport)
  } catch (error) {
    throw toError(server, error)
  } finally {
    signal.removeEventListener('abort', close)
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
      `${at} does not accept the user and password (${said}). Compare both for typing errors. Gmail, ` +
        'iCloud and Yahoo need an app password; ' +
        `others let you switch on ${kind} for the mailbox first.`,
    )
  if (
    /SSL|wrong version|ERR_TLS|ETLS|CERT|certificate|STARTTLS/i.test(`${code} ${message}`)
  )
    return new ChannelError(
      'rejected',
      `${at} offers no encryption by "${security}" (${said}). Compare "Port of the ${kind} server" and ` +
        `"Encryption of ${kind}": ${usual[kind]}; the name must be that of the certificate.`,
    )
  if (responseCode >= 500)
    return new ChannelError('rejected', `${at} rejects the e-mail: ${said}`)
  if (responseCode >= 400)
    return new ChannelError('unavailable', `${at} admits no e-mail now: ${said}`)
  return new ChannelError(
    'unavailable',
    `${at} does not answer (${code || said}). Compare "${kind} server" and "Port of the ${kind} server": ` +
      `${usual[kind]}. If they are right, ask the operator whether this server may reach it.`,
  )
}
