import { type Guide, isMistaken, isShaped } from '../guide.ts'

export const guide: Guide = {
  steps: [
    {
      title: 'Create an account for the bot',
      text: 'Register an account on a homeserver in a private window, for example with Element.',
      links: [{ title: 'Open Element', url: 'https://app.element.io/#/register' }],
    },
    {
      title: 'Copy the homeserver',
      text: 'In Element, as the bot: "All settings", "Help & About", "Homeserver is".',
      settings: ['homeserver'],
    },
    {
      title: 'Copy the access token',
      text:
        'On the same page: "Advanced", "Access Token". Then close the window. Do not sign out, which ' +
        'ends the token.',
      settings: ['accessToken'],
    },
  ],
  firstMessage:
    'From your own account, invite the bot to a room without encryption, and write there.',
  checks: [
    isMistaken(
      'homeserver',
      /@/,
      'This is the id of an account. Enter the address of its server.',
    ),
    isShaped(
      'homeserver',
      /^(https?:\/\/)?[\w.-]+(:\d+)?(\/\S*)?$/,
      'Enter an address such as `https://matrix-client.matrix.org`.',
    ),
    isShaped(
      'accessToken',
      /^\S{10,}$/,
      'An access token has no spaces, and mostly begins with `syt_` or `mat_`.',
    ),
    isMistaken(
      'accessToken',
      /^@/,
      'This is the id of the account. Its token is at "Help & About", "Advanced".',
    ),
    isMistaken(
      'accessToken',
      /^E[sS][a-zA-Z0-9]{2} /,
      'This is a recovery key. The token is at "Help & About".',
    ),
  ],
  problems: [
    {
      problem: 'The homeserver does not accept the access token',
      remedy:
        'Signing out ends a token. Sign in as the bot again, copy it, and close the window.',
    },
    {
      problem: 'The address is not that of a homeserver',
      remedy:
        'The part after the colon of an account may be another name: see "Help & About".',
    },
    {
      problem: 'The bot does not answer in a room',
      remedy:
        'The room is encrypted, which bots cannot read. Create a room without encryption.',
    },
    {
      problem: 'The bot may not write in a room',
      remedy:
        'Invite it again, or give it the right to send messages in "Room settings".',
    },
    {
      problem: 'The bot answers twice',
      remedy:
        'Another program uses the account of the bot. Stop it, or use another account.',
    },
  ],
  recipient: {
    title: 'Id of a room',
    description:
      'In Element: "Room settings", "Advanced", "Internal room ID". The bot must have joined it.',
  },
}
