import { type Guide, isShaped } from '../guide.ts'
import { smsWays } from './ways.ts'

export const guide: Guide = {
  steps: [
    {
      title: 'Find the request that sends an SMS',
      text:
        'The documentation of your gateway has it, often as an example for curl. Copy its address. If its ' +
        'body has other names than `to`, `from` and `text`, copy the body too, and write {{to}}, {{from}} ' +
        'and {{text}} in place of the numbers and the text.',
      settings: ['sendUrl', 'sender'],
      folded: ['body', 'sentIdField'],
    },
    {
      title: 'Copy the credentials',
      text: 'The value of the header that the example has, such as `Bearer` and a key.',
      settings: ['authorizationSecret'],
      folded: ['authorizationHeader'],
    },
    {
      title: 'Find what the gateway posts',
      text:
        'The documentation of received messages ("inbound", "webhooks") names the fields. There is nothing ' +
        'to enter if they are `from`, `to`, `text` and `id`.',
      folded: [
        'listField',
        'fromField',
        'toField',
        'textField',
        'idField',
        'statusField',
      ],
    },
    {
      title: 'Choose a secret',
      text:
        'The gateway sends it with each request, so that no one else can write messages. Invent one, or ' +
        'enter the one that the gateway gives you.',
      settings: ['webhookSecret'],
    },
  ],
  laterSteps: [
    {
      title: 'Enter the address in the gateway',
      text: 'As the address of received messages. It ends with the secret, so show it to no one.',
      copies: [{ title: 'Webhook', value: '{webhookUrl}?secret={webhookSecret}' }],
    },
  ],
  firstMessage: 'Send an SMS to the number.',
  checks: [
    isShaped('sendUrl', /^https?:\/\/\S+$/, 'An address begins with https://'),
    isShaped(
      'webhookSecret',
      /^\S{16,}$/,
      'A secret has at least 16 characters, and no blanks.',
    ),
  ],
  problems: [
    {
      problem: 'The gateway answered 401 or 403',
      remedy:
        'Copy the whole value of the header, with words such as `Bearer`, and check its name.',
    },
    {
      problem: 'The gateway answered without the id',
      remedy: 'The text behind it says why; or the path of the id is another one.',
    },
    {
      problem: 'The body of the request is no JSON',
      remedy: 'Write placeholders in quotation marks: `"to": "{{to}}"`.',
    },
    {
      problem: 'The request has no secret, or another one',
      remedy: 'End the webhook address in the gateway with `?secret=` and the secret.',
    },
    {
      problem: 'Nothing arrives, although the gateway calls',
      remedy:
        'Compare the names of its fields with the settings: webhook requests of the bot shows both.',
    },
  ],
  unproved: ['sendUrl', 'authorizationSecret', 'webhookSecret'],
  invented: ['webhookSecret'],
  ways: smsWays,
  recipient: {
    title: 'Phone number',
    description: 'As the gateway writes it, such as +4915112345678',
  },
}
