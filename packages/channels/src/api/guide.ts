import { type Guide, isMistaken, isShaped } from '../guide.ts'

export const guide: Guide = {
  steps: [
    {
      title: 'Share a secret',
      text: 'Both sides sign with it. Give your app the same value.',
      settings: ['signingSecret'],
    },
    {
      title: 'Start your app',
      text:
        'The server first posts `{"event":"ping"}` to it. Any status of 200 to 299 says that the app is ' +
        'there. The ' +
        'documentation, "Your own app", has an app of 40 lines.',
      settings: ['appUrl'],
    },
  ],
  laterSteps: [
    {
      title: 'Give your app the address',
      text: 'It posts messages of people there, signed as Standard Webhooks define it.',
      links: [{ title: 'Standard Webhooks', url: 'https://www.standardwebhooks.com' }],
      copies: [{ title: 'Webhook address', value: '{webhookUrl}' }],
    },
  ],
  firstMessage: 'Let your app post a message to the address.',
  checks: [
    isMistaken(
      'appUrl',
      /^(?!https?:)/,
      'The address begins with `http://` or `https://`.',
    ),
    isShaped('appUrl', /^https?:\/\/\S+$/, 'The address has no spaces.'),
    isShaped(
      'signingSecret',
      /^(whsec_)?[A-Za-z0-9+/_-]{22,}={0,2}$/,
      'Use at least 16 random bytes in base64: `openssl rand -base64 32`.',
    ),
  ],
  problems: [
    {
      problem: 'Your app does not answer',
      remedy:
        'Start it first. The server must reach its address; not every workspace may use private ones.',
    },
    {
      problem: 'Your app answers 401',
      remedy:
        'Use the same signing secret, and check the signature over the body as it arrives.',
    },
    {
      problem: 'Your app answers 404 or 405',
      remedy: 'Let it accept POST requests at exactly this address.',
    },
    {
      problem: 'The server answers 401 to your app',
      remedy:
        'Sign "id.timestamp.body" with the secret, decoded from base64. The time is in seconds.',
    },
    {
      problem: 'The server answers 400 to your app',
      remedy: 'The answer names the field. Ids have 1 to 500 characters.',
    },
  ],
  invented: ['signingSecret'],
  recipient: {
    title: 'Id of a conversation',
    description: 'Any id; your app gets it with the test.',
  },
}
