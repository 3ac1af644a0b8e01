// The server that sends e-mails of the installation: invitations and notices.
import { ConfigError, readUrl, readWord } from '../environment.ts'
import type { MailSettings } from '../provider-settings.ts'

export interface MailSection {
  /**
   * BOTSTEAD_MAIL_URL [none]: SMTP server for invitations and notices, with user and password if it needs
   * them: smtp://user:password@mail.example.org:587. Without it, the setting in the dashboard counts.
   * BOTSTEAD_MAIL_SECURITY: Encryption of the connection to it.
   * BOTSTEAD_MAIL_FROM [the user]: Sender of these e-mails, an address or `Name <address>`.
   */
  mail: MailSettings | null
}

export const readMailSection = (env: NodeJS.ProcessEnv): MailSection => ({
  mail: readMail(env),
})

function readMail(env: NodeJS.ProcessEnv): MailSettings | null {
  const text = readUrl(env, 'BOTSTEAD_MAIL_URL', ['smtp:'])
  if (!text) return null
  const { hostname, port, username, password } = new URL(text)
  const security = readWord(env, 'BOTSTEAD_MAIL_SECURITY', ['starttls', 'tls', 'none'])
  const user = decode(username) || null
  const from = env.BOTSTEAD_MAIL_FROM || user
  if (!hostname) throw new ConfigError('BOTSTEAD_MAIL_URL must have the name of a server')
  if (!from || !isSender(from))
    throw new ConfigError(
      'BOTSTEAD_MAIL_FROM must be an e-mail address, or a name and an address in angle brackets',
    )
  return {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(port || (security === 'tls' ? 465 : 587)),
    security,
    user,
    password: decode(password) || null,
    from,
  }
}

/** A password may have a percent sign that is no escape. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const address = /^[^\s<>()[\],;:"@]{1,64}@[^\s<>()[\],;:"@]{1,255}$/

/** Whether the text is an address, or a name and an address in angle brackets. */
export function isSender(text: string): boolean {
  const [, named] = /^[^<>\r\n]{0,200}<([^<>]{3,320})>$/.exec(text) ?? []
  return address.test(named ?? text)
}
