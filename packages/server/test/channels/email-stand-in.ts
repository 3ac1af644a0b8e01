// A mailbox on real servers: IMAP by hoodiecrow-imap, SMTP by smtp-server. The stand-in is the person.
import { once } from 'node:events'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import PostalMime, { type Email } from 'postal-mime'
import type { Failure, Json, Shown, StandIn } from './stand-in.ts'

const require = createRequire(import.meta.url)
const createImap = require('hoodiecrow-imap')
const { SMTPServer } = require('smtp-server')

const user = 'bot@shop.example'
const password = 'mailbox-password'
const person = 'Ana Pop <ana@example.org>'

const failed: Record<Failure, [code: number, text: string]> = {
  limited: [451, '4.7.1 Greylisted, try again later'],
  rejected: [550, '5.1.1 No such user here'],
  unavailable: [421, '4.3.2 Shutting down'],
  credentials: [535, '5.7.8 Authentication failed'],
}

export async function openMailbox(): Promise<Mailbox> {
  const mailbox = new Mailbox()
  await mailbox.open()
  return mailbox
}

export class Mailbox implements StandIn {
  configuration: Record<string, unknown> = {}
  /** E-mails of the bot. */
  readonly sent: Email[] = []
  readonly #failures: Failure[] = []
  readonly #sockets = new Set<{ destroy(): void }>()
  #imap = createImapServer()
  #next = 1
  #last = ''
  readonly #smtp = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    logger: false,
    onAuth: (
      { username, password: given }: Json,
      _: unknown,
      done: (e: unknown, r?: Json) => void,
    ) =>
      username === user && given === password
        ? done(null, { user: username })
        : done(
            Object.assign(new Error('5.7.8 Authentication failed'), {
              responseCode: 535,
            }),
          ),
    onData: (
      stream: AsyncIterable<Buffer>,
      _: unknown,
      done: (error?: Error) => void,
    ) => {
      this.#receive(stream).then(() => done(), done)
    },
  })

  async open() {
    const { server } = this.#imap
    server.on('connection', (socket: { destroy(): void }) => this.#sockets.add(socket))
    this.#imap.listen(0, '127.0.0.1')
    this.#smtp.listen(0, '127.0.0.1')
    await Promise.all([once(server, 'listening'), once(this.#smtp.server, 'listening')])
    const toPort = (one: { address(): unknown }) => (one.address() as AddressInfo).port
    this.configuration = {
      user,
      password,
      imapHost: '127.0.0.1',
      smtpHost: '127.0.0.1',
      imapPort: toPort(server),
      smtpPort: toPort(this.#smtp.server),
      imapSecurity: 'none',
      smtpSecurity: 'none',
    }
  }

  async #receive(stream: AsyncIterable<Buffer>) {
    const raw = await buffer(stream)
    const failure = this.#failures.shift()
    const [responseCode, text] = (failure && failed[failure]) ?? []
    if (responseCode) throw Object.assign(new Error(text), { responseCode })
    this.sent.push(await PostalMime.parse(raw))
  }

  /** The person sends an e-mail with these header fields; a reply unless it says otherwise. */
  async write(body: string, headers: Record<string, string> = {}) {
    const id = `<m${this.#next++}@example.org>`
    const thread = id === '<m1@example.org>' ? {} : { 'In-Reply-To': '<m1@example.org>' }
    const all = {
      From: person,
      To: user,
      Subject: 'An order',
      'Message-ID': id,
      Date: new Date().toUTCString(),
      'Content-Type': 'text/plain; charset=utf-8',
      ...(thread['In-Reply-To'] && { ...thread, References: thread['In-Reply-To'] }),
      ...headers,
    }
    const head = Object.entries(all).filter(([, value]) => value !== '')
    this.#last = `${head.map(([name, value]) => `${name}: ${value}`).join('\r\n')}\r\n\r\n${body}`
    await this.repeat()
  }

  say = (text: string) => this.write(text)

  sendPicture(bytes: Buffer, caption: string) {
    const parts = [
      `Content-Type: text/plain; charset=utf-8\r\n\r\n${caption}`,
      'Content-Type: image/png; name="a picture.png"\r\nContent-Transfer-Encoding: base64\r\n' +
        `Content-Disposition: attachment; filename="a picture.png"\r\n\r\n${bytes.toString('base64')}`,
    ]
    const body = `${parts.map((part) => `--b1\r\n${part}\r\n`).join('')}--b1--\r\n`
    return this.write(body, { 'Content-Type': 'multipart/mixed; boundary=b1' })
  }

  /** hoodiecrow holds e-mails as strings of bytes. */
  async repeat() {
    const bytes = Buffer.from(this.#last).toString('latin1')
    this.#imap.appendMessage('INBOX', [], new Date(), bytes)
  }

  /** The provider builds the mailbox again: all e-mails have other UIDs. */
  rebuild() {
    const inbox = this.#imap.getMailbox('INBOX')
    inbox.uidvalidity += 1
    inbox.uidnext = 1
    for (const message of inbox.messages) message.uid = inbox.uidnext++
    this.cut()
  }

  /** Ends all connections, as a network that breaks. */
  cut() {
    for (const socket of this.#sockets) socket.destroy()
    this.#sockets.clear()
  }

  shown = () => this.sent.map(readShown)
  failNext = (failure: Failure) => void this.#failures.push(failure)

  async close() {
    this.cut()
    this.#imap.close()
    await new Promise<void>((resolve) => this.#smtp.close(resolve))
  }
}

const createImapServer = () =>
  createImap({
    plugins: ['IDLE', 'NAMESPACE', 'ENABLE'],
    users: { [user]: { password } },
    storage: { INBOX: { messages: [] } },
  })

function readShown({ text = '', attachments }: Email): Shown {
  const [file] = attachments
  const kind = file?.mimeType.startsWith('image/') ? 'image' : 'file'
  const bytes = file && Buffer.from(file.content as ArrayBuffer).length
  return {
    ...(text.trim() && { text: text.trim() }),
    ...(file && { media: { kind, ...(bytes !== undefined && { bytes }) } }),
  }
}
