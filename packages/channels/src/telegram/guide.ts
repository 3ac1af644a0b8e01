import { type Guide, isMistaken, isShaped } from '../guide.ts'

export const guide: Guide = {
  steps: [
    {
      title: 'Create the bot',
      text:
        'In Telegram, open the chat with @BotFather and send `/newbot`. Choose a name, and a ' +
        'username that ends in `bot`.',
      links: [{ title: 'Open @BotFather', url: 'https://t.me/BotFather' }],
      copies: [{ title: 'Command', value: '/newbot' }],
    },
    {
      title: 'Paste the token',
      text: 'The answer of @BotFather contains the token. For a bot that exists, send `/token`.',
      settings: ['botToken'],
    },
  ],
  firstMessage:
    'In Telegram, open the chat with your bot, press "Start" and write to it.',
  checks: [
    isMistaken(
      'botToken',
      /\s/,
      'There is a space in the token: copy it without spaces.',
    ),
    isMistaken(
      'botToken',
      /^[\w-]{30,}$/,
      'The first part is missing: the token begins with a number and a colon.',
    ),
    isMistaken(
      'botToken',
      /^@|^\w{5,32}[Bb][Oo][Tt]$/,
      'This is the username. The token is below it in the answer of @BotFather.',
    ),
    isShaped(
      'botToken',
      /^\d{5,}:[\w-]{30,}$/,
      'A token is a number, a colon and some 35 characters: `110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw`.',
    ),
  ],
  problems: [
    {
      problem: 'Telegram does not know this bot token',
      remedy:
        'Copy the token again, with the number before the colon. After `/revoke`, only the new one works.',
    },
    {
      problem: 'Another program receives the messages of this bot',
      remedy:
        'Two programs use one token. Stop the other one, or create another bot with @BotFather.',
    },
    {
      problem: 'Nothing arrives by webhook',
      remedy:
        'Telegram calls only public addresses with HTTPS. Set "How messages arrive" to `connection`, ' +
        'which needs no address.',
    },
    {
      problem: 'The bot does not answer in a group',
      remedy:
        'Send `/setprivacy` to @BotFather and choose "Disable". Then remove the bot from the group, ' +
        'and add it again.',
    },
    {
      problem: 'A message cannot be sent: the person must write first',
      remedy:
        'Bots cannot begin conversations in Telegram. Ask the person to press "Start".',
    },
  ],
  recipient: {
    title: 'Id of a chat',
    description: 'A number; the person must have written to the bot before.',
  },
}
