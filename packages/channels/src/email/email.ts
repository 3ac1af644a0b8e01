// E-mail: receives by IMAP and sends by SMTP, so that no public address is needed.
import {
  type Channel,
  ChannelError,
  type Context,
  type OutgoingMessage,
} from '../channel.ts'
import { toAddress } from './mail.ts'
import { receiveMail } from './mailbox.ts'
import { type Content, toContent } from './sending.ts'
import { checkServers, withSmtp } from './servers.ts'
import { toOwnId } from './threads.ts'

export const emailChannel: Channel = {
  usesConnection: () => true,

  toAccount: ({ user, imapHost }) =>
    `${String(user).toLowerCase()} ${String(imapHost).toLowerCase()}`,

  async check(context) {
    await checkServers(context)
    const address = toAddress(getSender(context))
    return { name: address, link: `mailto:${address}` }
  },

  connect: receiveMail,

  /** A message is one e-mail, however long. */
  async *send(context, message) {
    if (message.sentParts > 0) return
    const content = await toContent(context, message)
    const messageId = toOwnId(message.id, getDomain(context))
    await send(context, { ...content, ...toEnvelope(context, message), messageId })
    yield { tags: { id: messageId } }
  },

  async toConversation(_, address) {
    return { channel: 'default', tags: { id: checkAddress(address), to: address } }
  },

  actions: {
    async sendEmail(context, { to, subject, text = '', inReplyTo, replyTo }) {
      const content = await toContent(context, { type: 'text', payload: { text } })
      await send(context, {
        ...content,
        to: checkAddress(String(to)),
        subject: String(subject ?? getSubject(context)),
        ...(inReplyTo
          ? { inReplyTo: String(inReplyTo), references: [String(inReplyTo)] }
          : {}),
        ...(replyTo ? { replyTo: checkAddress(String(replyTo)) } : {}),
      })
      return {}
    },
  },
}

const getSender = ({ configuration }: Context) =>
  String(configuration.from ?? configuration.user)
const getSubject = ({ configuration }: Context) =>
  String(configuration.subject ?? 'New message')
const getDomain = (context: Context) =>
  toAddress(getSender(context))
    .split('@')[1]
    ?.replace(/[^a-z0-9.-]/g, '') || 'botstead.invalid'

/** One address: a list would send to others too. */
function checkAddress(address: string): string {
  if (/^[^\s<>()[\],;:"@]{1,64}@[^\s<>()[\],;:"@]{1,255}$/.test(address)) return address
  throw new ChannelError('rejected', `"${address.slice(0, 200)}" is no e-mail address`)
}

function toEnvelope(context: Context, { conversation, payload }: OutgoingMessage) {
  const { id = '', to = id, subject, firstMessageId, latestEmail } = conversation.tags
  const topic = subject ?? String(payload.subject ?? getSubject(context))
  return {
    to: checkAddress(to),
    subject: latestEmail ? `Re: ${topic}` : topic,
    ...(latestEmail && {
      inReplyTo: latestEmail,
      references: [...new Set([firstMessageId ?? latestEmail, latestEmail])],
    }),
  }
}

interface Mail extends Content {
  to: string
  subject: string
  messageId?: string
  inReplyTo?: string
  references?: string[]
  replyTo?: string
}

/** Other programs that answer by themselves do not answer an answer (RFC 3834). */
const send = (context: Context, mail: Mail) =>
  withSmtp(context, (transport) =>
    transport.sendMail({
      ...mail,
      from: getSender(context),
      headers: {
        'Auto-Submitted': mail.inReplyTo ? 'auto-replied' : 'auto-generated',
        'X-Auto-Response-Suppress': 'All',
      },
    }),
  )
