// The phone number or messaging service that the bot writes from, and where its messages arrive.
import { type Account, ChannelError, type Context } from '../channel.ts'
import { call, getAccountSid, getMessagingUrl, toAccountUrl } from './api.ts'

type Configured = Pick<Context, 'configuration'>

export const isService = (sender: string) => /^MG\w+$/.test(sender)

/** Returns a number without the characters that people put between digits. */
export const toPhone = (phone: string) => phone.replace(/(?!^)[\s().-]|^\s+/g, '')

/** Returns the sender of the configuration; an empty text without one. */
export const getSender = ({ configuration }: Configured) =>
  toPhone(String(configuration.sender ?? ''))

/** Throws ChannelError if the credentials are wrong, or the sender is not of the account. */
export async function checkSender(context: Context): Promise<Account> {
  checkAccountSid(context)
  const { status, friendly_name: account } = await call(
    context,
    toAccountUrl(context, '.json'),
  )
  if (status !== 'active')
    throw new ChannelError(
      'credentials',
      `Twilio says that the account is ${status}: see the Twilio Console.`,
    )
  const sender = getSender(context)
  if (isService(sender)) await findService(context, sender)
  else if (isPhone(sender)) await findSmsNumber(context, sender)
  else if (sender !== '' && !/^(whatsapp:\+\d+|\d{3,8})$/.test(sender))
    throw new ChannelError(
      'rejected',
      `"${sender}" is no phone number with its country code, such as +40712345678, and no ` +
        `messaging service, ` +
        'which begins with MG.',
    )
  const name = [sender, account && `(${account})`].filter(Boolean).join(' ')
  return { ...(name && { name }), ...(isPhone(sender) && { link: `sms:${sender}` }) }
}

const isPhone = (sender: string) => sender.startsWith('+')

/** Messages to the sender arrive at the address. */
export async function setAddress(context: Context, webhookUrl: string): Promise<void> {
  const sender = getSender(context)
  if (isService(sender)) {
    const fields = {
      InboundRequestUrl: webhookUrl,
      InboundMethod: 'POST',
      UseInboundWebhookOnNumber: 'false',
    }
    await call(context, toServiceUrl(context, sender), fields)
  } else if (isPhone(sender)) {
    const number = await findSmsNumber(context, sender)
    await call(context, toNumberUrl(context, number), {
      SmsUrl: webhookUrl,
      SmsMethod: 'POST',
    })
  }
}

/** Throws ChannelError if messages to the sender arrive at another address. */
export async function checkAddress(context: Context, webhookUrl: string): Promise<void> {
  const sender = getSender(context)
  if (!isService(sender) && !isPhone(sender)) return
  const current = isService(sender)
    ? (await findService(context, sender)).inbound_request_url
    : (await findSmsNumber(context, sender)).sms_url
  if (current === webhookUrl) return
  throw new ChannelError(
    'credentials',
    'Twilio calls another address, because another program uses this sender. Stop it, and register ' +
      'the channel again.',
  )
}

/** Messages go to this address no more, unless it has another one. */
export async function clearSender(context: Context): Promise<void> {
  const sender = getSender(context)
  if (isService(sender)) {
    const url = toServiceUrl(context, sender)
    const { inbound_request_url: current } = await call(context, url)
    if (current === context.webhookUrl)
      await call(context, url, { InboundRequestUrl: '' })
    return
  }
  const number = sender.startsWith('+') ? await findNumber(context, sender) : null
  if (number?.sms_url === context.webhookUrl)
    await call(context, toNumberUrl(context, number), { SmsUrl: '' })
}

function checkAccountSid(context: Context): void {
  if (/^AC/.test(getAccountSid(context))) return
  throw new ChannelError(
    'credentials',
    'The account SID begins with AC; SK begins the one of an API key. Copy it from the first page of the ' +
      'Twilio Console.',
  )
}

interface PhoneNumber {
  sid: string
  sms_url?: string
  capabilities?: { sms?: boolean }
}

async function findNumber(context: Context, phone: string): Promise<PhoneNumber | null> {
  const query = new URLSearchParams({ PhoneNumber: phone })
  const url = toAccountUrl(context, `/IncomingPhoneNumbers.json?${query}`)
  const { incoming_phone_numbers: numbers } = await call(context, url)
  return (numbers as PhoneNumber[] | undefined)?.[0] ?? null
}

const toNumberUrl = (context: Context, { sid }: PhoneNumber) =>
  toAccountUrl(context, `/IncomingPhoneNumbers/${encodeURIComponent(sid)}.json`)

const toServiceUrl = (context: Context, sid: string) =>
  `${getMessagingUrl(context)}/v1/Services/${sid}`

/** Throws ChannelError ("rejected"). */
async function findSmsNumber(context: Context, phone: string): Promise<PhoneNumber> {
  const number = await findNumber(context, phone)
  if (!number)
    throw new ChannelError(
      'rejected',
      `"${phone}" is no number of this Twilio account: see Phone Numbers, Active numbers, in the ` +
        `Twilio Console.`,
    )
  if (number.capabilities?.sms === false)
    throw new ChannelError(
      'rejected',
      `"${phone}" cannot send SMS: choose a number that can, in the Twilio Console.`,
    )
  return number
}

/** Throws ChannelError ("rejected"). */
const findService = (context: Context, sid: string) =>
  call(context, toServiceUrl(context, sid)).catch((error) => {
    if (error instanceof ChannelError && /error 20404/.test(error.message))
      throw new ChannelError(
        'rejected',
        `"${sid}" is no messaging service of this Twilio account.`,
      )
    throw error
  })
