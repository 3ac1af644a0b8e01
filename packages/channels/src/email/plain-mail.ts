// Sends an e-mail of the installation itself, without a channel of a bot.
import { toAddress } from './mail.ts'
import { withSmtp } from './servers.ts'

export interface PlainMailServer {
  host: string
  port: number
  security: 'tls' | 'starttls' | 'none'
  /** Null: the server needs no sign-in. */
  user: string | null
  password: string | null
  from: string
}

export interface PlainMail {
  /** Of the `Message-ID`: a repeated e-mail has the same. */
  id: string
  to: string
  subject: string
  text: string
}

interface Surroundings {
  /** Returns an address of the host that may be connected to. Throws ChannelError. */
  resolve: (host: string) => Promise<string>
  signal: AbortSignal
}

/** Throws ChannelError, whose message names the settings to compare. */
export async function sendPlainMail(
  { host, port, security, user, password, from }: PlainMailServer,
  { id, to, subject, text }: PlainMail,
  surroundings: Surroundings,
): Promise<void> {
  const configuration = {
    smtpHost: host,
    smtpPort: port,
    smtpSecurity: security,
    ...(user !== null && { user, password: password ?? '' }),
  }
  const domain = toAddress(from).split('@')[1] ?? 'botstead.invalid'
  await withSmtp({ ...surroundings, configuration }, (transport) =>
    transport.sendMail({
      from,
      // An object, so that no list of addresses is read from it.
      to: { name: '', address: to },
      subject,
      text,
      messageId: `<${id}@${domain.replace(/[^a-z0-9.-]/gi, '')}>`,
      headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    }),
  )
}
