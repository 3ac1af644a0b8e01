// Twilio's errors in plain words (https://www.twilio.com/docs/api/errors).
import { ChannelError, type ProviderResponse } from '../channel.ts'
import { readRetryAfter, toJson } from '../provider-calls.ts'

const notPublic =
  'Twilio calls only public addresses with HTTPS and a valid certificate: set the public address ' +
  'of this server.'
const notOwn =
  'The sender is no number of this Twilio account that sends messages: see Phone Numbers, ' +
  'Active numbers, in the Twilio Console.'
const notReachable = 'The phone of the person is switched off, or does not exist.'
const notLoaded =
  'Twilio cannot load the file: it needs a public address. Set the one of this server, or send ' +
  'media as links.'
const noMms = 'No MMS reaches this phone: send media as links.'

const explanations: Record<number, string | undefined> = {
  21211:
    'The phone number of the person is not valid. It needs the country code: +40712345678.',
  21212: notOwn,
  21408:
    'Switch on the country of the person in the Twilio Console: Messaging, Settings, Geo permissions.',
  21502: notPublic,
  21603: notOwn,
  21606: notOwn,
  21608:
    'A trial account writes only to verified numbers: verify it in the Twilio Console, or upgrade ' +
    'the account.',
  21609: notPublic,
  21610:
    'The person has answered STOP. Twilio sends nothing more until this person writes START to the number.',
  21612:
    'Twilio has no way from the sender to this phone: choose a sender of the same country.',
  21614: 'The number of the person is no mobile phone.',
  21620: notLoaded,
  21623: notLoaded,
  21659: notOwn,
  21660: notOwn,
  21703: 'The messaging service has no sender: add a number to it in the Twilio Console.',
  30003: notReachable,
  30004: 'The person, or the network, blocks messages of this sender.',
  30005: notReachable,
  30006: 'The number of the person is a landline, or its network takes no SMS.',
  30007: 'The network of the person takes the message for spam.',
  30011: noMms,
  30032: 'Verify the toll-free number in the Twilio Console before it writes to people.',
  30034:
    'Register the number for A2P 10DLC in the Twilio Console: US networks take no messages before.',
  63016:
    'On WhatsApp, only a template reaches a person who has not written within the last 24 hours.',
}

/** `said`: in Twilio's words, if it said something. */
export function explain(code: number, said = ''): string {
  const theirs = `Twilio: ${[said.slice(0, 500), code && `error ${code}`].filter(Boolean).join(', ')}`
  const plain = explanations[code]
  return plain ? `${plain} (${theirs})` : theirs
}

const tooMany = [20429, 21611, 30001]

export function toError(response: ProviderResponse): ChannelError {
  const { status, headers } = response
  const { code, message } = toJson(response)
  const number = typeof code === 'number' ? code : 0
  const said = explain(number, typeof message === 'string' ? message : `status ${status}`)
  if (status === 429 || tooMany.includes(number))
    return new ChannelError('limited', said, readRetryAfter(headers) ?? 2_000)
  if (status >= 500) return new ChannelError('unavailable', said)
  if (status === 401 || number === 20_003 || number === 20_008)
    return new ChannelError(
      'credentials',
      'Twilio does not accept the account SID and auth token: copy both from the first page of the ' +
        'Twilio Console, ' +
        `"Account Info"; test credentials and API keys are others. (${said})`,
    )
  return new ChannelError('rejected', said)
}
