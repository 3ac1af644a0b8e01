import { type Guide, isMistaken, isShaped } from '../guide.ts'

const console = {
  title: 'Open LINE Developers Console',
  url: 'https://developers.line.biz/console/',
}

export const guide: Guide = {
  steps: [
    {
      title: 'Create the channel',
      text:
        'Create a LINE Official Account, and switch on the Messaging API: "Settings", "Messaging API", ' +
        '"Enable Messaging API".',
      links: [
        { title: 'Open LINE Official Account Manager', url: 'https://manager.line.biz/' },
      ],
    },
    {
      title: 'Copy the channel secret',
      text: 'In the LINE Developers Console, open the channel: "Basic settings", "Channel secret".',
      links: [console],
      settings: ['channelSecret'],
    },
    {
      title: 'Issue the access token',
      text: 'In the same channel: "Messaging API", "Channel access token (long-lived)", "Issue".',
      settings: ['channelAccessToken'],
    },
    {
      title: 'Switch on the webhook',
      text:
        'In "Messaging API": switch on "Use webhook". If it asks for an address, save the one of the ' +
        'next steps ' +
        'first; this server also enters it itself.',
    },
  ],
  laterSteps: [
    {
      title: 'Switch off automatic answers',
      text:
        'In "Messaging API", "Auto-reply messages", "Edit": switch it off, or LINE answers beside ' +
        'the bot.',
      links: [console],
    },
    {
      title: 'Compare the address',
      text:
        'In "Messaging API", "Webhook URL" must have this address; "Use webhook" must be on. If it ' +
        'differs, enter ' +
        'it there.',
      links: [console],
      copies: [{ title: 'Webhook URL', value: '{webhookUrl}' }],
    },
  ],
  firstMessage:
    'Add the account as a friend (QR code in "Messaging API"), and write to it.',
  checks: [
    isMistaken(
      'channelAccessToken',
      /^[0-9a-f]{32}$/,
      'This is the channel secret. The access token is much longer: "Messaging API", "Issue".',
    ),
    isMistaken(
      'channelSecret',
      /^\d{10}$/,
      'This is the channel ID. The channel secret is further below in "Basic settings".',
    ),
    isShaped(
      'channelSecret',
      /^[0-9a-f]{32}$/,
      'A channel secret has 32 characters from 0 to 9 and a to f.',
    ),
    isShaped(
      'channelAccessToken',
      /^[\w+/=.-]{100,}$/,
      'A channel access token has more than 100 characters: copy all of it.',
    ),
  ],
  problems: [
    {
      problem: 'LINE does not accept the channel access token',
      remedy:
        'Issue one in "Messaging API", and copy all of it. A new one ends the former.',
    },
    {
      problem: 'LINE sends nothing yet',
      remedy:
        'Switch on "Use webhook" in "Messaging API", then check the channel again here.',
    },
    {
      problem: 'LINE calls only public addresses',
      remedy:
        'Set `BOTSTEAD_PUBLIC_URL` to an address with HTTPS and a valid certificate.',
    },
    {
      problem: 'The signature of requests is wrong',
      remedy: 'The channel secret is of another channel: copy it from "Basic settings".',
    },
    {
      problem: 'LINE calls another address',
      remedy:
        'Another program has set its own webhook for this channel. Stop it, then register the channel ' +
        'again here.',
    },
  ],
  unproved: ['channelSecret'],
  recipient: {
    title: 'User ID',
    description:
      'Yours is in "Basic settings", "Your user ID": U and 32 characters. Add the account as a friend ' +
      'first.',
  },
}
