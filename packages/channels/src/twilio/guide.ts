import { type Guide, isMistaken, isShaped } from '../guide.ts'
import { smsWays } from '../sms/ways.ts'

const console = { title: 'Open the Twilio Console', url: 'https://console.twilio.com/' }

export const guide: Guide = {
  steps: [
    {
      title: 'Copy the account',
      text: 'The first page of the Twilio Console shows both values below "Account Info".',
      links: [console],
      settings: ['accountSID', 'authToken'],
    },
    {
      title: 'Choose the sender',
      text:
        '"Phone Numbers", "Manage", "Active numbers": copy a number that can send SMS. Or a messaging ' +
        'service: "Messaging", "Services".',
      links: [
        {
          title: 'Open Active numbers',
          url: 'https://console.twilio.com/us1/develop/phone-numbers/manage/incoming',
        },
      ],
      settings: ['sender'],
    },
  ],
  laterSteps: [
    {
      title: 'Check the address',
      text:
        'This server enters the address at the number. Without a sender, enter it yourself: the number, ' +
        '"Messaging Configuration", "A message comes in".',
      links: [console],
      copies: [{ title: 'Webhook', value: '{webhookUrl}' }],
    },
  ],
  firstMessage: 'Send an SMS to the number.',
  checks: [
    isMistaken(
      'accountSID',
      /^SK/,
      'This is the SID of an API key. The account SID begins with AC: see "Account Info".',
    ),
    isShaped('accountSID', /^AC[0-9a-f]{32}$/, 'An account SID is AC and 32 characters.'),
    isMistaken('authToken', /^(AC|SK)/, 'This is a SID. Press "Show" at "Auth Token".'),
    isShaped(
      'authToken',
      /^[0-9a-f]{32}$/,
      'An auth token has 32 characters from 0 to 9 and a to f.',
    ),
    isShaped(
      'sender',
      /^(whatsapp:)?\+[1-9][\d\s().-]{6,20}$|^MG[0-9a-f]{32}$|^\d{3,8}$/,
      'A number begins with + and the country code, a messaging service with MG.',
    ),
  ],
  problems: [
    {
      problem: 'Twilio does not accept the account SID and auth token',
      remedy: 'Copy both from "Account Info". Test credentials and API keys are others.',
    },
    {
      problem: 'The sender is no number of this account',
      remedy: 'Copy a number from "Active numbers", with + and the country code.',
    },
    {
      problem: 'A trial account writes only to verified numbers',
      remedy:
        'Verify the number at "Phone Numbers", "Verified Caller IDs", or upgrade the account.',
    },
    {
      problem: 'Twilio cannot call the address',
      remedy:
        'Set `BOTSTEAD_PUBLIC_URL` to a public address with HTTPS and a valid certificate.',
    },
    {
      problem: 'No SMS reaches a country, or the US',
      remedy:
        'Switch the country on at "Messaging", "Settings", "Geo permissions". US numbers need A2P 10DLC.',
    },
  ],
  ways: smsWays,
  recipient: {
    title: 'Phone number',
    description:
      'With the country code: +40712345678. A trial account writes only to verified numbers.',
  },
}
