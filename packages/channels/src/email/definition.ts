// The integration `email`, with the channel and tags of the official one, which knows texts only.
import { objectSchema, textSchema } from '@botstead/contract'
import type { ChannelEntry } from '../channel.ts'
import { action, channel, configuration, secret, setting, user } from '../definitions.ts'
import { fileLinks, native, numbers } from '../shown.ts'
import { guide } from './guide.ts'

const port = { type: 'integer', minimum: 1, maximum: 65_535 }
const security = { enum: ['tls', 'starttls', 'none'] }
const securityText =
  '"tls" from the beginning, "starttls", or "none", which shows the password to the network. '

const emailActions = {
  sendEmail: action(
    'Send an e-mail',
    'Sends an e-mail to an address, outside of conversations',
    objectSchema({
      to: textSchema,
      'subject?': textSchema,
      'text?': textSchema,
      'inReplyTo?': textSchema,
      'replyTo?': textSchema,
    }),
  ),
}

export const email: ChannelEntry = {
  name: 'email',
  title: 'E-mail',
  description:
    'People write to a mailbox of yours, and the bot answers in the same thread. Needs a ' +
    'mailbox with IMAP and SMTP, and no public address.',
  version: '1.0.0',
  guide,
  shows: { ...native, ...fileLinks, ...numbers, location: 'link' },
  hasNoButtons: true,
  definition: {
    configuration: configuration({
      user: setting(
        'E-mail address',
        'The name to sign in to the mailbox, mostly its address.',
      ),
      password: secret(
        'Password',
        'Of the mailbox. Gmail, iCloud and Yahoo need an app password, which the settings of the ' +
          'account create.',
      ),
      imapHost: setting('IMAP server', 'Receives. Example: imap.gmail.com'),
      smtpHost: setting('SMTP server', 'Sends. Example: smtp.gmail.com'),
      'imapPort?': setting('Port of the IMAP server', 'Default: 993', port),
      'smtpPort?': setting('Port of the SMTP server', 'Default: 587', port),
      'imapSecurity?': setting(
        'Encryption of IMAP',
        `${securityText}Default: "tls" at the port 993, else "starttls".`,
        security,
      ),
      'smtpSecurity?': setting(
        'Encryption of SMTP',
        `${securityText}Default: "tls" at the port 465, else "starttls".`,
        security,
      ),
      'from?': setting('Sender', 'Example: Shop <help@example.org>. Default: the user.'),
      'authenticationServer?': setting(
        'Authentication server',
        'The first word of the header Authentication-Results in e-mails of this mailbox, such as ' +
          'mx.google.com. With it, the address of a sender counts as verified if this server has ' +
          'checked it (DMARC, or DKIM of its domain). The server must remove such headers of others ' +
          'with its name, as RFC 8601 says. Default: no address is verified.',
        { type: 'string', pattern: '^[A-Za-z0-9._-]{1,255}$' },
      ),
      'subject?': setting(
        'Subject',
        'Of e-mails that begin a thread. Default: New message',
      ),
    }),
    channels: {
      default: channel(
        'Thread',
        {
          id: 'Id of the thread; of a new one: the address of the recipient',
          firstMessageId: 'Message-ID of the first e-mail',
          subject: 'Subject of the thread',
          to: 'Address of the person',
          latestEmail: 'Message-ID of the latest e-mail of the person',
        },
        { id: 'Message-ID of the e-mail' },
      ),
    },
    events: {},
    actions: emailActions,
    user: user({ id: 'Address of the person', email: 'Address of the person' }),
  },
  load: async () => (await import('./email.ts')).emailChannel,
}
